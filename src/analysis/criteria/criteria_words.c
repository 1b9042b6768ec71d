/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The language a description is in, and the phrases of the table in it.
 */


#include <string.h>

#include "base/text/number.h"
#include "base/text/utf8.h"
#include "analysis/text/char.h"
#include "analysis/criteria/criteria_parts.h"


#define JUDGE_WORDS_TOLD    2000       /* bytes that tell the language */
#define JUDGE_WORDS_PHRASE  60         /* bytes of a phrase */
#define JUDGE_WORDS_STEM    5          /* bytes that forms of a word share */
#define JUDGE_WORDS_STEPS   100000000

/* At the ends of what is taken over. */
#define MARKS  "\\s,;:.~*_|!=–—-"

/* WHOLE is what brackets or quotation marks hold together, and is never
 * divided; NAMES are words as such, one object ("the words best or cheap");
 * NOTES are words that announce notes made in haste. */
#define WHOLE  "\\([^()\\n]*\\)|\"[^\"\\n]*\"|“[^“”\\n]*”|«[^«»\\n]*»" \
               "|„[^„“”\\n]*[“”]"
#define MARK   "\\(?[\\da-h]\\)(?!\\h*(?:[;,.]|$))\\h?"   /* of an item */
#define INLINE  "\\h\\K(?=\\(1\\)\\h+\\p{L}.*\\h\\(2\\)\\h+\\p{L})"
#define NAMED  "(?:[\\p{L}\\p{N}'’-]++|[\"“„«][^\"“”»\\n]*+[\"“”»])"
#define NAMES  "@A\\h+(?:words?|terms?|phrases?|wörtern?|worte?n?|begriffen?" \
               "|pala[bv]ras?|mots|t[eé]rm[eio]n?o?s|frases)\\h+" NAMED       \
               "(?<!ly|mente)(?:(?:,\\h*|,?\\h+(?:@&|@|)\\h+)" NAMED ")+"    \
               "(?=\\h*(?:[.,;:!?)]|$)|\\h+(?:@&|@||@!)\\h)"
#define NOTES  "\\b(?:notes|noti(?:z|zen|ert)|stichpunkte|apuntes|notas" \
               "|anotações)\\b"

/* GLUE is what joins a weight to its criterion: "of the grade is for".  VALUE
 * is a weight with its unit or in words; NUMBERED may lack the unit. */
#define GLUE      "(?>[\\h:=,~–—-]*+(?:@G|@C|@E|@T|@S))*+[\\h:=]*+"
#define NUMBER    "(\\d+(?:[.,]\\d+)?)"
#define TO        "\\h?%?\\h?(?:[–-]|@L|to|bis|a|à|até|@&)\\h?(?:@A\\h+)?"
#define RANGE     NUMBER "(?:" TO NUMBER ")?"
#define WORDED    "|(@X)|(@H)|(@R))"
#define LEFT      "(?:@R\\h+(?=\\d|@H))?"
#define UNIT      "\\h?(?:(%|@%)|(@P|(?:[x×]|p[kt]?t?s?)\\b))"
#define VALUE     LEFT "(?:" RANGE UNIT WORDED
#define NUMBERED  LEFT "(?:" RANGE "(?:" UNIT ")?+" WORDED

static const char *const  judge_words_languages[] = {
    "en", "de", "es", "fr", "pt", NULL
};

/* "@" and a letter stand for the words of a class.  "No more than" says no to
 * nothing; "it tells them what they are seeing" has its verb before "what". */

static const char *const  judge_words_rules[] = {
    [JUDGE_CLASS_NOT] = "(?i)@L(*SKIP)(*F)|@N",
    [JUDGE_CLASS_IS] = "(?i)(?:" WHOLE "|(?!(?:to|that|dass|que)\\b)@Q.*)"
        "(*SKIP)(*F)|@I",
    [JUDGE_RULE_WORD] = "[\\p{L}\\p{M}\\p{N}]+",
    [JUDGE_RULE_TRIM] = "(?s)[^" MARKS "](?:.*[^" MARKS "])?",
    [JUDGE_RULE_FILLER] = "(?i)^(?:@G|@A|@M|@I|@N|@Q|@K|@D|@E|@C|(?:which|qui"
        "|only|s[oó]lo|seule?|seulement|others?|anderen?|beiden|autres"
        "|ou?tr[oa]s|two|three|zwei|drei|doi?s|deux|tr[eê]s)$)",
    [JUDGE_RULE_COLON] = "(?:" WHOLE ")(*SKIP)(*F)|:(?!\\d)|\\h[–—-]\\h",
    [JUDGE_RULE_LABEL] = "(?<!\\h)\\h*(?:\\(|[:=](?!\\d)|\\h[–—-]\\h)",
    [JUDGE_RULE_BULLET] = "^(?:(?:[-*+•·▪–—~]\\h)?\\[[xX\\h]?\\]"
        "|[-*+•·▪–—~]\\h|\\(?(?:\\d{1,3}|[a-z])\\)"
        "|(?:\\d{1,3}|[a-z])\\.(?=\\h)|#+)\\h*",
    /* What follows an apostrophe ends a word: "don't.", "we'll." */
    [JUDGE_RULE_STOP] = "(?:" WHOLE "|(?<!\\d\\h|['’])\\b(?!etc|usw|pls|thx)"
        "(?:[B-DF-HJ-NP-TV-Xb-df-hj-np-tv-xz][b-df-hj-np-tv-xz]{1,3}"
        "|(?:in|ex)[ck]l|evtl|approx)\\.(?=\\h+[\\p{Lu}\\d]))(*SKIP)(*F)"
        "|(?<![!?])[!?]+(?=\\s|$)(?!\\h+\\()"
        "|(?<!(?<!['’])\\b\\p{L})(?<!\\.\\p{L})"
        "(?<!\\b\\p{Lu}\\p{Ll})\\.(?=\\s|$)"
        "(?!(?<=\\b\\p{L}\\p{L}\\.|max\\.|min\\.)(?<!it\\.|on\\.|in\\.|so\\."
        "|us\\.|up\\.|me\\.|zu\\.|es\\.)\\s*[\\p{Ll}\\d])",
    [JUDGE_RULE_FIRST] = "(?m)^\\(1\\)|" INLINE,
    [JUDGE_RULE_BEFORE] = "^.*[.!?]\\h+(?=\\p{Lu})",
    [JUDGE_RULE_ITEMS] = "(?:^|[.:!?]\\h+\\K)(?=1\\.\\h+\\p{L}.*\\h2\\.\\h)|"
        INLINE "|(?:^|[.!?]\\h+\\K)(?=(?:1\\).+\\h2|a\\).+\\hb)\\)\\h*\\w)",
    [JUDGE_RULE_ITEM] = "\\([^()\\n]{2,}\\)(*SKIP)(*F)"
        "|(?<!\\h)\\h+(?=(?:\\d\\.|\\(\\d\\))\\h+\\p{L}|[\\da-h]\\)\\h*\\w)"
        "|(?<=\\p{L}[.!?])\\h+(?=\\p{Lu}(?!.*\\h\\d[.)]\\h))",
    [JUDGE_RULE_SUBJECT] = "(?i)^(?:subject|betreff|asunto|objet|assunto):",
    [JUDGE_RULE_OTHERS] = "(?i)\\b(?:others?|remaining|anderen?|übrigen|demás"
        "|restlichen|otr[oa]s|restantes?|autres|outr[oa]s)\\b",
    [JUDGE_RULE_INTRO] = "(?i)@J(?:\\h+wh?en\\h.*)?$",
    [JUDGE_RULE_JOTTED] = "(?i)" NOTES "|^.?(?:(?:could|would) you"
        "|könn\\p{L}+ sie|pued|podr|pouvez-vous|você pode)",
    [JUDGE_RULE_DUE] = "(?i)\\b(?:by|until|before|due|past|bis|vor|antes|hasta"
        "|avant|até)\\h(?:\\p{L}+\\h){0,2}?(?:@d|\\d+(?:th|st|[nr]d)\\b)|\\h"
        "(?:at|um|a las|às|à)\\h\\d{1,2}(?:[:.h]\\d\\d|\\h?(?:[ap]m|uhr|h))?$",
    [JUDGE_RULE_TOPIC] = "(?i)^(?:for|re|regarding|about|für|zu[mr]?|beim?"
        "|para|sobre|pour)\\h|" NOTES,
    [JUDGE_RULE_LABELS] = "[.!?\\n]\\h*+[^:.!?\\n]{1,40}:\\h",
    [JUDGE_RULE_SCALE] = "\\b\\d{1,3}\\h*=\\h*\\p{L}[^\\n]*?"
        "\\b\\d{1,3}\\h*=\\h*\\p{L}|^\\d{1,2}\\h+(?i:@I)\\h",
    [JUDGE_RULE_JOINT] = "(?i)(?:" WHOLE "|" NAMES
        "|@S\\h+(?:@A\\h+)?\\d[\\d.,%\\h]*@&\\h"
        "|(?:@S|@R|@H|%)\\h+(?:@I\\h+)?@S|\\p{L}\\h+(?:between|entre|"
        "zwischen)\\h(?:[^\\s,;]+\\h+){1,5}?@&\\h)(*SKIP)(*F)|(?:;|,(?!\\d)"
        "|\\h/(?=\\h)|(?=\\h" MARK "))\\h*(?:(@!)\\h|(@|)\\h|(@&)\\h|&\\h)?"
        "(?:" MARK ")?|(?<!-)\\h+(?:(@!)|(@|)|(@&|&))\\h+(?:" MARK ")?",
    [JUDGE_RULE_BE_NO] = "(?i)^\\h*(?:@B|@I)\\h+@N",
    [JUDGE_RULE_ACT] = "(?i)^(?!@A)\\p{L}+\\h+(?:@A|(?!to\\b|that|que)@Q)",
    [JUDGE_RULE_ACT_DE] = "^(?!(?i:@A))\\p{Ll}+\\h+(?i:@A|@Q)",
    [JUDGE_RULE_VERB] = "^(?!(?i:@A))\\p{L}+\\h+(?i:@L|@O|\\d)",
    [JUDGE_RULE_INFINITIVE] = "(?i)^\\h*(?!@A|@N)\\p{L}+(?:[aei]r|re)\\h+"
        "(?!@&)\\p{L}",
    [JUDGE_RULE_LAST] = "\\h\\p{Ll}{2,}en$",
    /* The verb of a relative clause asks for nothing: "who can be reached".
     * In German the clause begins as an item may, and ends with its verb. */
    [JUDGE_RULE_RELATIVE] = "(?i)\\h(?:who|which|qui|quien(?:es)?|quem)\\h*$",
    [JUDGE_RULE_RELATIVE_DE] = "^\\h*(?:d(?:er|ie|as|e[nm]|enen|eren|essen))"
        "(?!\\h+@C)\\h+\\p{Ll}[^.,;:]*\\b\\p{Ll}+\\h*(?:[.,;:]|$)",
    /* In German the verbs of conditions stand at their ends. */
    [JUDGE_RULE_GIVEN] = "(?i)\\b(?:dann|gut|gelungen|taugt|brauchbar)\\b"
        "[^,;]*,\\h+(?:wenn|falls)\\h",
    [JUDGE_RULE_FINAL] = "\\h\\p{Ll}*(?:[tn]|[inr][nr]?d|rf|ll|ss)$",
    [JUDGE_RULE_URGENCY] = "(?i)^(?:@M|could|könnten?|podr[ií]an?|poderiam?"
        "|pourrai(?:en)?t|nice to have)"
        "(?:\\h+(?:have|haben|tener|avoir|ter))?\\h*$",
    [JUDGE_RULE_PLURAL] = "^\\h*\\p{Ll}+[^s\\W]s\\h",
    [JUDGE_RULE_FINITE] = "^\\h*(?!als|falls)\\p{Ll}+[^s\\W]s\\h+(?i:@A|@Q)",

    /* No number after "at least" is a weight.  These stand in brackets, after
     * "counts", before what they are for, after a colon, or at the end. */
    [JUDGE_RULE_WEIGHT] = "(?i)@L\\h+\\d[\\d.,]*(?:\\h?%)?(*SKIP)(*F)|(?|"
        "\\h*\\(" GLUE "(?:(?:@A|max)\\.?\\h+)*" NUMBERED
        "(?:(?<=\\d)|(?<!\\d)[^()]*)\\)(?!(?<=\\d\\))\\h+\\p{L})"
        "|\\h+@C\\h+()()()()(@X)[\\h.]*$"
        "|(?:\\h+(?:@M|@I))?[\\h,:=|–-]*@C" GLUE "(?:@A\\h+)*" NUMBERED GLUE
        "|^[\\h*]*(?:@W\\h+(?:\\p{L}+\\h+)?)?" GLUE "(?:@A\\h+)*(?!@H,)"
        VALUE GLUE "(?=[\\h–-]*[^\\s,.])"
        "|(?:\\h*[:=]|\\h[–—/-]|\\h*\\.{3,})\\h*" NUMBERED "\\h*$"
        "|(?:^|(?>\\h+(?:@I|@G|@E|@M))*+\\h+)(?:@A\\h+)*" VALUE GLUE
        "(?:@R)?[\\h.]*$|\\h+@I\\h+(?:@A\\h+)*(?=@X)" VALUE ")",
    [JUDGE_RULE_BARE] = "(?i)@L\\h+\\d(*SKIP)(*F)|(?|(?<=[\\p{L})?!”»])\\h+"
        NUMBER "$|^" NUMBER "\\h+(?:for|für|para|pour)\\h"
        "|^\\h*\\(" NUMBER "\\))",
    [JUDGE_RULE_SUM] = "(?i)^\\W*@T[\\h:=]*\\d",
    [JUDGE_RULE_CELL] = "(?i)^(?:@C\\h*)?" NUMBERED "(?:\\h*\\([^()]*\\))?$"
};


judge_allowance_t
judge_words_allowance(void)
{
    return (judge_allowance_t) { .steps = JUDGE_WORDS_STEPS };
}


/* Phrases of several words go before single words that they begin with.  The
 * list is what an expression spends its time on, so that it is counted how
 * often one is looked through. */

static void
judge_words_list(judge_buf_t *buf, unsigned language,
    judge_criteria_class_e class)
{
    bool                           more;
    size_t                         i, n;
    const char                    *p, *sep = "";
    const judge_criteria_words_t  *row = judge_criteria_words;
    const judge_criteria_words_t  *end = row + judge_criteria_words_n;

    while (row < end && (row->class != class
           || strcmp(row->language, judge_words_languages[language]) != 0))
    {
        row++;
    }

    judge_buf_c(buf, "(?:(?C)(?<![\\p{L}\\p{N}])(?<!\\p{L}-)(?:");

    for (more = true; row < end; more = false) {
        for (p = row->words; *p; p += n + strspn(p + n, " ")) {
            n = strcspn(p, " ");

            if ((memchr(p, '_', n) != NULL) != more) {
                continue;
            }

            judge_buf_c(buf, sep);
            sep = "|";

            for (i = 0; i < n && p[i] != '='; i++) {
                judge_buf_append(buf, p + i, !strchr("_'./(", p[i]));
                judge_buf_c(buf, p[i] == '_' ? "\\h+" : p[i] == '\'' ? "['’]"
                                 : p[i] == '.' ? "\\." : p[i] == '/' ? "|"
                                 : p[i] == '(' ? "(?:" : "");
            }
        }

        if (!more) {
            break;
        }
    }

    judge_buf_c(buf, ")(?:(?<=['’])|(?![\\p{L}\\p{N}]|['’-]\\p{L})))");
}


/* Compiles an expression in which "@" and a letter stand for the words of a
 * class: "@@" for those of the given one. */

static judge_regex_t *
judge_words_compile(judge_prose_t *p, unsigned language, const char *text,
    judge_criteria_class_e class)
{
    size_t          n;
    judge_buf_t     buf;
    judge_regex_t  *r = NULL;

    static const char  letters[] = "NLMIB&|!QDAOJYWUhrti%PCXHRSEGTc..Kd";

    judge_buf_init(&buf, p->arena);

    for (/* void */; *text; text += n) {
        n = strcspn(text, "@");
        judge_buf_append(&buf, text, n);

        if (text[n] == '@') {
            judge_words_list(&buf, language, (text[n + 1] == '@') ? class
                             : (judge_criteria_class_e)
                               (strchr(letters, text[n + 1]) - letters));
            n += 2;
        }
    }

    if (buf.failed
        || judge_regex_compile(p->arena, judge_buf_view(&buf),
                               JUDGE_REGEX_MARKED, &r, NULL) != JUDGE_OK)
    {
        p->failed = true;
        return NULL;
    }

    judge_regex_charge(r, &p->allowance);

    return r;
}


judge_str_t
judge_words_match(judge_prose_t *p, unsigned rule, judge_str_t s)
{
    size_t          begin, end;
    judge_regex_t **r = &p->rules[rule];

    if (*r == NULL) {
        *r = judge_words_compile(p, p->language, judge_words_rules[rule]
                                 ? judge_words_rules[rule]
                                 : "(?i)(?:" WHOLE ")(*SKIP)(*F)|@@",
                                 (judge_criteria_class_e) rule);
    }

    if (*r == NULL || s.len == 0
        || judge_regex_find(*r, s, 0, &begin, &end) != JUDGE_OK)
    {
        return (judge_str_t) { 0, NULL };
    }

    return (judge_str_t) { end - begin, s.data + begin };
}


judge_str_t
judge_words_begins(judge_prose_t *p, judge_str_t s,
    judge_criteria_class_e class)
{
    judge_str_t  found;

    s = judge_words_trim(p, s);
    found = judge_words_match(p, class, (s.len > JUDGE_WORDS_PHRASE)
                              ? judge_utf8_prefix(s, JUDGE_WORDS_PHRASE) : s);

    return (found.data == s.data) ? found : (judge_str_t) { 0, NULL };
}


double
judge_words_value(const judge_prose_t *p, judge_criteria_class_e class,
    judge_str_t phrase)
{
    size_t                         i, n, k;
    double                         value = 0;
    const char                    *w;
    const judge_criteria_words_t  *row = judge_criteria_words;

    phrase = judge_char_small(p->arena, phrase);

    for (i = 0; i < judge_criteria_words_n && phrase.data != NULL; i++) {
        for (w = row[i].words; *w && row[i].class == class
             && strcmp(row[i].language, judge_words_languages[p->language])
                == 0; w += n + strspn(w + n, " "))
        {
            n = strcspn(w, " ");

            for (k = 0; k < phrase.len
                 && (phrase.data[k] == w[k]
                     || (phrase.data[k] == ' ' && w[k] == '_')); k++)
            { /* void */ }

            if (k == phrase.len && w[k] == '=') {
                (void) judge_number_parse((judge_str_t) { n - k - 1,
                                                          w + k + 1 }, &value);
            }
        }
    }

    return value;
}


void
judge_words_language(judge_prose_t *p, judge_str_t text)
{
    size_t          at, begin, end, n, best;
    unsigned        i;
    judge_regex_t  *r;

    text = judge_utf8_prefix(text, (text.len < JUDGE_WORDS_TOLD)
                                   ? text.len : JUDGE_WORDS_TOLD);

    for (i = 0, best = 0; judge_words_languages[i] != NULL; i++) {
        r = judge_words_compile(p, i, "(?i)@N|@L|@M|@I|@B|@&|@||@!|@Q|@D|@A|@O"
                                "|@J|@Y|@W|@U|@h|@r|@t|@i|@C|@P|@X|@H|@R|@S|@E"
                                "|@G|@T|@c|@K", 0);

        for (n = at = 0; r != NULL && text.len > 0
             && judge_regex_find(r, text, at, &begin, &end) == JUDGE_OK; n++)
        {
            at = judge_regex_after(text, begin, end);
        }

        if (n > best) {
            best = n;
            p->language = i;
        }
    }

    n = judge_words_count(p, text);
    p->foreign = n > 12 && best * 10 < n;
}


judge_str_t
judge_words_span(const char *from, const char *to)
{
    return (judge_str_t) { (to > from) ? (size_t) (to - from) : 0, from };
}


static judge_str_t
judge_words_next(judge_prose_t *p, judge_str_t *s)
{
    judge_str_t  word;

    word = judge_match(p, *s, WORD);
    *s = word.data ? judge_after(*s, word) : JUDGE_STR("");

    return word;
}


size_t
judge_words_count(judge_prose_t *p, judge_str_t s)
{
    size_t  n = 0;

    while (judge_words_next(p, &s).data != NULL) {
        n++;
    }

    return n;
}


judge_str_t
judge_words_trim(judge_prose_t *p, judge_str_t s)
{
    judge_str_t  trimmed;

    trimmed = judge_match(p, s, TRIM);

    return trimmed.data ? trimmed : judge_words_span(s.data, s.data);
}


judge_str_t
judge_words_content(judge_prose_t *p, judge_str_t *s)
{
    judge_str_t  word;

    do {
        word = judge_words_next(p, s);
    } while (word.data != NULL && (word.len < 3
             || judge_like(p, word, FILLER)));

    return word;
}


judge_str_t
judge_words_stem(judge_prose_t *p, judge_str_t word)
{
    word = judge_char_small(p->arena, word);
    p->failed |= word.data == NULL;
    word.len = (word.len < JUDGE_WORDS_STEM) ? word.len : JUDGE_WORDS_STEM;

    return word;
}


void
judge_words_split(judge_prose_t *p, judge_str_t text, judge_buf_t *words)
{
    judge_str_t  word;

    text = judge_char_small(p->arena, text);
    p->failed |= text.data == NULL;

    while ((word = judge_words_next(p, &text)).data != NULL) {
        judge_buf_append(words, &word, sizeof(judge_str_t));
    }

    p->failed |= words->failed;
}


bool
judge_words_among(judge_str_t stem, const judge_buf_t *words)
{
    size_t              i, n = words->len / sizeof(judge_str_t);
    const judge_str_t  *all = (judge_str_t *) (void *) words->data;

    for (i = 0; i < n && !judge_str_starts(all[i], stem); i++) { /* void */ }

    return i < n;
}


bool
judge_words_in(judge_prose_t *p, judge_str_t word, judge_str_t text)
{
    judge_buf_t  words;

    judge_buf_init(&words, p->arena);
    judge_words_split(p, text, &words);

    return judge_words_among(judge_words_stem(p, word), &words);
}


void
judge_criteria_say(judge_prose_t *p, bool question, judge_criteria_say_e say,
    judge_str_t about)
{
    size_t                      *n;
    const char                  *at;
    judge_str_t                 *lines, line;
    const judge_criteria_say_t  *row = judge_criteria_says, *found = NULL;

    for (/* void */; row < judge_criteria_says + judge_criteria_says_n; row++)
    {
        if (row->say == say && (found == NULL
            || strcmp(row->language, judge_words_languages[p->language]) == 0))
        {
            found = row;
        }
    }

    at = found->format + strcspn(found->format, "%");
    line = judge_str_printf(p->arena, "%.*s%.*s%s", (int) (at - found->format),
                            found->format, *at ? (int) about.len : 0,
                            about.data, *at ? at + strlen("%s") : "");
    lines = question ? p->questions : p->notes;
    n = question ? &p->nquestions : &p->nnotes;
    p->failed |= line.data == NULL;

    if (*n < JUDGE_CRITERIA_NOTES && !p->failed
        && judge_str_index(lines, *n, line) == *n)
    {
        lines[(*n)++] = line;
    }
}
