/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Drops tokens of a sentence that change nothing of what it asks for: the kind
 * of text that it is for, its source, unknown words, reasons and remarks. */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/checks/require_table.h"


static const char *const  judge_require_with[] = {
    "with", "mit", "con", "avec", "com", NULL
};


/* Whether one of the unknown words from token i to k may change what is asked
 * for ("roughly", "syllables") or asks for judgement. */

static bool
judge_require_matters(judge_require_reader_t *r, size_t i, size_t k)
{
    const judge_require_token_t  *t = r->tokens;

    while (i < k && (t[i].kind != JR_UNKNOWN
                     || !(t[i].name[0] || t[i].text.data[0] == '='
                          || judge_require_finds(r, r->judgement, t[i].text,
                                                 0))))
    {
        i++;
    }

    return i < k;
}


/* The end of the unknown words and names that begin with token i. */

static size_t
judge_require_run(const judge_require_reader_t *r, size_t i)
{
    size_t  k;

    for (k = i; k < r->n; k++) {
        if (!(r->tokens[k].kind & JR_IDLES)
            && !judge_require_named(&r->tokens[k]))
        {
            break;
        }
    }

    return k;
}


/* The end of the place or the kind of text that is named from token i on,
 * behind "each" or "one"; i: there is none. */

static size_t
judge_require_kind_of(judge_require_reader_t *r, judge_str_t s, size_t i)
{
    size_t                        k, from;
    const judge_require_token_t  *t = &r->tokens[i];

    from = i + (t->kind == JR_EACH
                || (t->kind == JR_NUMBER && t->n == 1 && t->text.len > 2));

    if (judge_require_at(r, from, JR_TEXT) && t->kind != JR_NUMBER) {
        /* but "15 letters" */
        return i > 0 && t[-1].kind == JR_NUMBER ? i : from + 1;
    }

    k = judge_require_run(r, from);

    return k == from || r->tokens[from].kind == JR_LITERAL
           || (judge_require_at(r, k, JR_ITEM | JR_THING | JR_UNIT)
               && r->tokens[k].text.data == r->tokens[k - 1].text.data
                  + r->tokens[k - 1].text.len + 1)
           || judge_require_matters(r, from, k)
           /* Spanish "no" is no place */
           || (from == i && i > 0 && t[-1].kind == JR_NOT
               && t->text.data < t[-1].text.data + t[-1].text.len + 2)
           || !judge_require_before(r, r->place, s, from)
           ? i : k;
}


/* Drops the kind of text that a requirement is for: "in the newsletter", "per
 * post".  Parts of a text are words of the table. */

static void
judge_require_places(judge_require_reader_t *r, judge_str_t s)
{
    size_t  i, k, from;

    for (i = 0; i < r->n; i++) {
        k = judge_require_kind_of(r, s, i);
        if (k == i) {
            continue;
        }

        /* the article of "in a message" */
        from = i - (i > 0 && r->tokens[i - 1].kind == JR_ARTICLE);
        judge_require_cut(r, from, k);
        i = from - 1;
    }
}


/* Drops the points of abbreviations and hyphens, and "to" before a verb. */

static void
judge_require_joins(judge_require_reader_t *r)
{
    size_t                        i, k;
    const judge_require_token_t  *t;

    for (i = 0; i + 1 < r->n; i++) {
        t = &r->tokens[i];

        if (t->kind == JR_LEAST && t->text.data[0] == '+'
            && !(i > 0 && t[-1].kind == JR_NUMBER))
        {
            r->tokens[i].kind = JR_AND;            /* but "40+" */
        }

        if (i == 0 && t->kind == JR_DASH && r->language == 1) {
            r->tokens[0].kind = JR_MOST;           /* "bis 60 Zeichen" */
        }

        /* "ends in a point" */
        k = i + 1 + judge_require_at(r, i + 1, JR_ARTICLE);
        if ((t->kind & JR_ENDS) && judge_require_at(r, k, JR_ITEM)
            && strchr("Pp", r->tokens[k].text.data[0]))
        {
            r->tokens[k].kind = JR_THING;
            r->tokens[k].name = "stop";
        }

        if ((t->kind & JR_EDGES) && t[1].kind == JR_EACH) {
            judge_require_cut(r, i + 1, i + 2);    /* "commencent par" */
        }

        /* "the reference: 'AB-12'" */
        if (judge_require_mark(t, '.')
            || (i > 0 && judge_require_mark(t, ':')
                && t[1].kind == JR_LITERAL && !(t[-1].kind & JR_KEY))
            || (t->kind == JR_DASH && judge_ascii_letter(t->text.data[0])
                && ((t[1].kind & (JR_MODALS | JR_LIMITS | JR_EDGES | JR_MARK
                                  | JR_NOT | JR_VERB))
                    || (t[1].kind == JR_NUMBER
                        && (i == 0
                            || !(t[-1].kind & (JR_TARGETS | JR_NUMBER)))))))
        {
            judge_require_cut(r, i, i + 1);        /* "Tel.", "not to" */
        }
    }
}


/* Whether a token is something that is done to somebody, who stands before or
 * after it, and a known word parts it from the unknown one beside it: "thanks
 * the guest", "clients are thanked", but not "apologizes properly". */

static bool
judge_require_act(const judge_require_token_t *act,
    const judge_require_token_t *unknown)
{
    const char  *end = act < unknown ? act->text.data + act->text.len
                                     : unknown->text.data + unknown->text.len;

    return act->kind == JR_THING
           && strstr("thanks apology greeting quoted informal", act->name)
           && (memchr(act->text.data, ' ', act->text.len)
               || (act < unknown ? unknown : act)->text.data > end + 1);
}


/* Whether token `no` negates the unknown word before it, which may turn it
 * into its contrary: "ne cache pas les prix", "spart nicht mit Emojis". */

static bool
judge_require_verb_negated(const judge_require_token_t *no)
{
    const char  *end = no[-1].text.data + no[-1].text.len;

    static const char *const  words[] = {
        "nicht", "nichts", "kein", "keine", "keinen", "keinerlei", "nie",
        "niemals", "pas", "jamais", "aucun", "aucune", "rien", NULL
    };

    end += strncmp(end, " es ", 4) == 0 ? 3 : 0;

    return no->kind == JR_NOT && judge_str_caseamong(no->text, words)
           && no->text.data < end + 2;
}


/* Whether what stands from token i to k is one of several things that are
 * asked for or forbidden: "no links, slang or emojis". */

static bool
judge_require_listed(const judge_require_reader_t *r, size_t i, size_t k)
{
    while (i > 0 && r->tokens[i - 1].kind == JR_ARTICLE) {
        i--;
    }

    return judge_require_at(r, k, JR_AND | JR_OR | JR_NOR)
           && (i == 0 || judge_require_at(r, i - 1, JR_HAS | JR_JOINTS
                                                    | JR_NEGATIONS));
}


/* Drops who is thanked or asked for pardon, and what for: a check finds that
 * somebody is.  Names have it, too: "Thank the reviewer". */

static void
judge_require_whom(judge_require_reader_t *r, judge_str_t s)
{
    size_t                  i, k, end;
    judge_require_token_t  *t;

    for (i = 0; i + 1 < r->n; i++) {
        t = &r->tokens[i];
        k = judge_require_skip(r, i + 1, JR_ARTICLE | JR_DASH | JR_IDLES
                                         | JR_NOUN);
        end = (size_t) (t->text.data + t->text.len - s.data);

        /* but "an apology that admits the fault" */
        if (t->kind == JR_THING && k > i + 1
            && (strcmp(t->name, "thanks") == 0
                || strcmp(t->name, "apology") == 0)
            && !judge_require_before(r, r->relative, s, i + 1)
            && (judge_require_finds(r, r->purpose, s, end)
                || (judge_require_act(t, t + 1)
                    && !judge_require_matters(r, i + 1, k))))
        {
            judge_require_cut(r, i + 1, k);
        }
    }
}


/* Whether the unknown words from token i to k stand before all that is asked
 * for, and don't belong to what is: they are its subject, or a verb. */

static bool
judge_require_leads(judge_require_reader_t *r, judge_str_t s, size_t i,
    size_t k)
{
    bool                          literal;
    const judge_require_token_t  *t = &r->tokens[i], *next = &r->tokens[k];

    if (k == r->n) {
        return false;
    }

    /* a noun before a literal: "the formula 'Yours sincerely'" */
    literal = next->kind == JR_LITERAL && !judge_require_named(next)
              && t->text.data[0] != '='
              && ((i + 1 == k
                   && next->text.data < t->text.data + t->text.len + 8)
                  || !judge_require_matters(r, i, k));

    if (literal
        || ((next->kind & (JR_ASKED | JR_FIRST | JR_MARK | JR_ONCE | JR_PART))
            && !judge_require_act(next, next - 1))
        || judge_require_matters(r, i, k)
        || (next->kind == JR_DASH && judge_ascii_letter(next->text.data[0]))
        || judge_require_verb_negated(next) || judge_require_listed(r, i, k)
        || (i > 0 && t[-1].kind == JR_NOT
            && !(next->kind & (JR_ALLOWED | JR_LESS | JR_MORE | JR_MUST
                               | JR_REQUIRED))))
    {
        return literal;
    }

    return !(next->kind & (JR_ARTICLE | JR_NUMBER))
           || judge_require_finds(r, r->verb, (judge_str_t) {
                  (size_t) (next->text.data - s.data), s.data },
                  (size_t) (next[-1].text.data + next[-1].text.len - s.data));
}


/* Whether the unknown words from token i to k, which follow the target of
 * their clause, only tell its place or manner.  Words after "that", "about"
 * and the like restrict which one is meant; so may any word about a thing that
 * has to be there, but not about a `free` one, which is negated or allowed. */

static bool
judge_require_follows(judge_require_reader_t *r, judge_str_t s, size_t i,
    size_t k, judge_require_kind_e target, bool free)
{
    const judge_require_token_t  *t = &r->tokens[i];
    const char                   *from = t[-1].text.data + t[-1].text.len;
    uint64_t                      before = t[-1].kind
                                           | (i > 1 ? t[-2].kind : JR_NONE);

    /* "The figures must not contradict …" says what they do. */
    return target && (target != JR_THING
                      || (free && !((before & (JR_MUST | JR_ALLOWED))
                                    && (before & JR_NOT))))
           && !judge_require_named(&t[-1])             /* "Kind regards" */
           && !judge_str_caseamong(t[-1].text, judge_require_with)
           /* "No price changes", "uses 'ticket' sparingly" */
           && (judge_require_act(&t[-1], t)
               || !((t[-1].kind & (JR_THING | JR_UNIT)
                     && t->text.data == from + 1)
                    || (t[-1].kind == JR_LITERAL && k == i + 1
                        && t->text.data < from + 3
                        && k + judge_require_at(r, k, JR_MARK) == r->n)))
           && !judge_require_at(r, k, JR_ASKED | JR_NUMBER)
           && !judge_require_matters(r, i, k)
           && !judge_require_finds(r, r->which,
                   (judge_str_t) { s.len - (size_t) (from - s.data), from },
                   0);
}


/* Drops unknown words that change nothing of what is asked for, in clauses
 * that are parted by marks and conjunctions. */

static void
judge_require_rest(judge_require_reader_t *r, judge_str_t s)
{
    bool                  free, bare, act;
    size_t                i, k;
    judge_require_kind_e  kind, target;

    for (i = 0, target = JR_NONE, free = bare = false; i < r->n; i++) {
        kind = r->tokens[i].kind;

        if (kind != JR_UNKNOWN) {
            if (kind & (JR_JOINTS | JR_NOR)) {
                target = JR_NONE;
                free = free && kind != JR_BUT;
            } else if (kind & (JR_TARGETS | JR_ITEM | JR_LANGUAGE)) {
                target = kind;
            }
            free = free || kind == JR_NOT;
            bare = (kind & (JR_LESS | JR_MORE))
                   || (bare && !(kind & (JR_ALLOWED | JR_MUST | JR_NOT
                                         | JR_REQUIRED)));
            continue;
        }

        act = i > 0 && judge_require_act(&r->tokens[i - 1], &r->tokens[i]);
        kind = JR_ARTICLE | JR_DASH | (act ? JR_NONE : JR_AND);

        for (k = i + 1; k < r->n
             && ((r->tokens[k].kind & JR_IDLES)
                 || ((r->tokens[k].kind & kind)
                     && judge_require_at(r, k + 1, JR_UNKNOWN))); k++)
        {
            /* void */
        }

        /* "Texts longer than 80 words fail" asks for the contrary. */
        if (target ? !bare && !judge_str_caseamong(r->tokens[0].text,
                                                    judge_require_with)
                     && judge_require_follows(r, s, i, k, target,
                         free || act || r->tokens[i - 1].kind == JR_ALLOWED)
            : judge_require_leads(r, s, i, k))
        {
            judge_require_cut(r, i, k);
            i--;
        } else {
            i = k - 1;
        }
    }
}


/* Drops on whose word a requirement rests: "according to the style guide". */

static void
judge_require_authority(judge_require_reader_t *r)
{
    size_t  i, k;

    for (i = 0; i + 1 < r->n; i++) {
        if (r->tokens[i].kind != JR_REASON
            || strcmp(r->tokens[i].name, "per") != 0)
        {
            continue;
        }

        k = judge_require_run(r, i + 1);

        if (k > i + 1) {
            k += i == 0 && k < r->n && judge_require_mark(&r->tokens[k], ',');
            judge_require_cut(r, i, k);
            i--;
        }
    }
}


/* Drops what a limit counts as well: "60 words, greeting included". */

static void
judge_require_counted_in(judge_require_reader_t *r)
{
    size_t                        i;
    bool                          counts = false;
    const judge_require_token_t  *t = r->tokens;

    for (i = 0; i + 2 < r->n; i++) {
        counts = counts || t[i].kind == JR_NUMBER;

        if (counts && judge_require_mark(&t[i], ',')
            && t[i + 1].kind == JR_THING && t[i + 2].kind == JR_HAS
            && strncmp(t[i + 2].text.data, "inclu", 5) == 0)
        {
            judge_require_cut(r, i, i + 3);
        }
    }
}


/* Where the reason that begins with token i ends: "…, and no links". */

static size_t
judge_require_resumes(const judge_require_reader_t *r, size_t i)
{
    size_t                        k, from;
    const judge_require_token_t  *t = r->tokens;

    for (k = i + 1; k + 2 < r->n && t[i].kind == JR_REASON; k++) {
        from = k + ((t[k].kind & (JR_AND | JR_BUT | JR_MARK)) != 0);
        from += from > k && (t[from].kind & (JR_AND | JR_BUT));

        if (from > k && judge_require_at(r, from, JR_EDGES | JR_EXACT
                                         | JR_LEAST | JR_MOST | JR_NEGATIONS)
            && judge_require_at(r, from + 1,
                                JR_TARGETS | JR_ARTICLE | JR_NUMBER))
        {
            return k;
        }
    }

    return r->n;
}


/* Where the clause that ends with the reason of token i begins, if it has but
 * unknown words: "…, the mail would be spam otherwise". */

static size_t
judge_require_since(const judge_require_reader_t *r, size_t i)
{
    size_t  k = i;

    while (k > 0 && judge_require_at(r, k - 1, JR_AND | JR_ARTICLE | JR_IDLES))
    {
        k--;
    }

    return k > 0 && judge_require_at(r, k - 1, JR_DASH | JR_MARK) ? k : i;
}


/* Drops what stands in parentheses and asks for nothing. */

static void
judge_require_asides(judge_require_reader_t *r)
{
    size_t    i, end;
    uint64_t  kinds;

    for (i = 0; i < r->n; i++) {
        for (end = i + 1, kinds = 0; end < r->n
             && !judge_require_mark(&r->tokens[end], ')'); end++)
        {
            kinds |= r->tokens[end].kind;
        }

        if (judge_require_mark(&r->tokens[i], '(') && end < r->n
            && !judge_require_at(r, i + 1, JR_OR)
            && (!judge_require_requires(r, i + 1, end)
                || !(kinds & ~(uint64_t) (JR_MARK | JR_NUMBER))
                || !(kinds & (judge_require_at(r, i + 1, JR_IDLES)
                              ? JR_ASKED | JR_EDGES | JR_EXCEPT | JR_LIMITS
                                | JR_NUMBER | JR_ONLY
                              : JR_EXACT | JR_EXCEPT | JR_HAS | JR_LIMITS
                                | JR_MUST | JR_NOT | JR_NUMBER | JR_REQUIRED
                                | JR_UNIT))))
        {
            judge_require_cut(r, i, end + 1);
        }
    }
}


/* Drops what stands first and is why, or whose rule it is: "We print on A6, so
 * …", "Because the screen is small, …", "It is for Lisbon: …". */

static void
judge_require_lead(judge_require_reader_t *r, judge_str_t s)
{
    bool                          why = judge_require_at(r, 0, JR_REASON);
    size_t                        i;
    uint64_t                      kinds;
    const judge_require_token_t  *t = r->tokens;

    kinds = JR_ALLOWED | JR_AND | JR_ARTICLE | JR_DASH | JR_FIRST | JR_IDLES
            | JR_LEAST | JR_MARK | JR_NOUN | JR_NUMBER | JR_REASON
            | JR_VERB;

    for (i = 0; i + 1 < r->n; i++) {
        if (i > 0 && ((t[i].kind == JR_REASON
                       && strcmp(t[i].name, "hence") == 0)
                      || (why && judge_require_mark(&t[i], ','))))
        {
            judge_require_cut(r, 0, i + 1);
            judge_require_lead(r, s);
            return;
        }

        if (judge_require_mark(&t[i], ':') && !(kinds & JR_HAS)) {
            s.len = (size_t) (t[i].text.data - s.data);
            judge_require_cut(r, 0, judge_require_finds(r, r->scale, s, 0)
                                    || judge_require_finds(r, r->judgement, s,
                                                           0) ? 0 : i + 1);
            return;
        }

        if (!(t[i].kind & kinds) && !judge_require_named(&t[i])
            && strcmp(t[i].name, "letters") != 0)
        {
            kinds |= JR_PLAIN | JR_MODALS | JR_LITERAL;    /* only if why */
            if (!(t[i].kind & kinds)) {
                return;
            }
        }
    }
}


/* Drops that nothing follows what the text ends with, which that says. */

static void
judge_require_last(judge_require_reader_t *r)
{
    bool      last;
    size_t    i;
    uint64_t  kinds = JR_ALONE | JR_AND | JR_DASH | JR_ITEM | JR_MARK
                      | JR_NEGATIONS | JR_NOUN | JR_THING | JR_UNKNOWN;

    for (i = 0, last = false; i + 1 < r->n; i++) {
        last = last || (r->tokens[i].kind & JR_ENDS);

        if (last && r->tokens[i].kind == JR_LITERAL
            && judge_require_skip(r, i + 1, kinds) < r->n
            && judge_require_skip(r, i + 1, kinds | JR_BEFORE | JR_ONLY)
               == r->n)
        {
            r->n = i + 1;
        }
    }
}


/* Keeps unknown words before "texts with" or "texts that": what "Block texts
 * with links" wants of such texts is not known. */

static void
judge_require_handled(judge_require_reader_t *r, judge_str_t s)
{
    size_t  i = judge_require_skip(r, 0, JR_UNKNOWN);

    i += i > 0 && judge_require_at(r, i, JR_ARTICLE);

    if (i > 0 && judge_require_at(r, i, JR_TEXT | JR_VERB)
        && judge_require_skip(r, i, ~(uint64_t) (JR_LIMITS | JR_MUST)) == r->n
        && judge_require_finds(r, r->which, s,
               (size_t) (r->tokens[i].text.data + r->tokens[i].text.len
                         - s.data)))
    {
        r->tokens[0].name = "changes";
    }
}


void
judge_require_trim(judge_require_reader_t *r, judge_str_t s, bool aside)
{
    size_t  i, end;

    judge_require_handled(r, s);
    judge_require_prefixes(r);
    judge_require_single(r);
    judge_require_counted_in(r);
    judge_require_authority(r);
    judge_require_places(r, s);
    judge_require_joins(r);
    judge_require_labels(r);
    judge_require_words_named(r);
    judge_require_alike_of(r);
    judge_require_made_of(r);
    judge_require_begun(r, s);
    judge_require_last(r);

    if (aside) {
        judge_require_asides(r);
    }

    judge_require_lead(r, s);

    for (i = 0; i < r->n; i++) {
        if (judge_require_reason(r, i)) {
            end = judge_require_resumes(r, i);
            i = judge_require_since(r, i);
            judge_require_cut(r, i, end);

        } else if (i > 0 && i + 1 < r->n
                   && (r->tokens[i].kind & (JR_DASH | JR_MARK))
                   && !(r->tokens[i].kind == JR_DASH  /* "a link to us" */
                        && judge_ascii_letter(r->tokens[i].text.data[0]))
                   && !judge_str_eq_c(r->tokens[i].text, "à")
                   && !judge_require_mark(&r->tokens[i], '(')
                   && r->tokens[i - 1].kind != JR_AND
                   && !(r->tokens[i].kind == JR_DASH
                        && r->tokens[i + 1].kind == JR_NUMBER)  /* "4 to 6" */
                   && judge_require_remark(r, s, i + 1, r->tokens, i))
        {
            judge_require_cut(r, i, judge_require_resumes(r, i));
        }
    }

    judge_require_whom(r, s);

    if (!r->strict) {
        judge_require_rest(r, s);
    }
}


/* Whether a sentence says that a format is all there is, as the checks of it
 * find, "Nothing else.", or names but a place, "It is read on the phone." */

static bool
judge_require_adds_nothing(judge_require_t *q, judge_str_t s)
{
    size_t                        i, n = q->r.n;
    const judge_require_token_t  *t = q->subject;

    for (i = 0; i < q->nsubject; i++) {
        if (t[i].kind == JR_THING && strstr("json xml yaml csv", t[i].name)
            && judge_require_skip(&q->r, 0, JR_ARTICLE | JR_MARK | JR_ONLY
                                            | JR_TEXT) == n)
        {
            return true;
        }
    }

    judge_require_places(&q->r, s);

    return q->r.n < n
           && judge_require_skip(&q->r, 0, JR_ARTICLE | JR_HAS | JR_MARK
                                 | JR_SPEAKER | JR_VERB) == q->r.n;
}


bool
judge_require_restates(judge_require_t *q, judge_str_t s)
{
    q->r.language = q->spoken;

    return q->nsubject > 0 && judge_require_read(&q->r, s) == JUDGE_OK
           && (judge_require_remark(&q->r, s, 0, q->subject, q->nsubject)
               || judge_require_adds_nothing(q, s));
}
