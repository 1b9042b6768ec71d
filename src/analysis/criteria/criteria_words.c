/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The words of rubrics: qualities with the forms in which people name them,
 * and the words that say how, not what.
 */


#include <string.h>

#include "analysis/criteria/criteria_parts.h"


#define JUDGE_Q_SEEN   (JUDGE_Q_VIDEO | JUDGE_Q_IMAGE)
#define JUDGE_Q_HEARD  (JUDGE_Q_VIDEO | JUDGE_Q_AUDIO)



static const judge_quality_t  judge_qualities[] = {
    { "Clarity", "clarity clearness comprehensibility understandability",
      "clear clearly unclear understandable easy_to_understand easy_to_follow "
      "easily_understood comprehensible intelligible confusing lucid "
      "makes_sense make_sense",
      "How easily the %s is understood.", 0 },
    { "Readability", "readability",
      "readable easy_to_read easily_read reads_well",
      "How easily the %s can be read.", JUDGE_Q_TEXT },
    { "Conciseness", "conciseness brevity concision verbosity wordiness "
      "fluff filler padding rambling repetition",
      "concise concisely succinct succinctly brief briefly wordy verbose "
      "to_the_point long-winded repetitive redundant crisp tight",
      "How much the %s says without wasted words.", 0 },
    { "Accuracy", "accuracy correctness facts truth truthfulness",
      "accurate accurately correct correctly factual factually "
      "factually_correct truthful true inaccurate incorrect",
      "Whether what the %s says is correct.", 0 },
    { "Relevance", "relevance relevancy",
      "relevant irrelevant on-topic on_topic off-topic off_topic pertinent "
      "stay_on_topic stays_on_topic",
      "Whether the %s stays with its topic.", 0 },
    { "Completeness", "completeness thoroughness coverage comprehensiveness",
      "complete completely thorough thoroughly comprehensive exhaustive",
      "Whether the %s covers all that belongs to it.", 0 },
    { "Depth", "depth insight insights analysis nuance detail details",
      "in-depth in_depth insightful analytical deep deeply nuanced detailed "
      "thoughtful superficial shallow",
      "How deep the %s goes into its subject.", 0 },
    { "Structure", "structure organization organisation outline flow "
      "paragraphing logical_flow transitions sections",
      "structured well-structured well_structured organized organised "
      "well-organized well-organised well_organized well_organised",
      "How well the %s is ordered and divided.", 0 },
    { "Coherence", "coherence cohesion coherency",
      "coherent coherently cohesive hangs_together",
      "How well the parts of the %s hang together.", 0 },
    { "Consistency", "consistency",
      "consistent consistently inconsistent",
      "Whether the %s stays the same in terms, form and facts.", 0 },
    { "Grammar", "grammar syntax grammar_mistakes grammar_errors",
      "grammatical grammatically ungrammatical",
      "Whether the grammar of the %s is correct.", 0 },
    { "Spelling", "spelling typos typo misspellings orthography "
      "spelling_mistakes spelling_errors",
      "spelled misspelled",
      "Whether the words of the %s are spelled right.", JUDGE_Q_TEXT },
    { "Punctuation", "punctuation commas", "punctuated",
      "Whether the %s is punctuated right.", JUDGE_Q_TEXT },
    { "Writing quality", "writing prose writing_quality language_quality",
      "well-written well_written badly_written",
      "How well the %s is written.", 0 },
    { "Style", "style writing_style", "stylistic stylistically stylish",
      "Whether the style of the %s is the one that is wanted.",
      JUDGE_Q_DETAIL },
    { "Tone", "tone tone_of_voice voice", "",
      "Whether the tone of the %s is the one that is wanted.",
      JUDGE_Q_DETAIL },
    { "Friendliness", "friendliness warmth kindness",
      "friendly warm warmly welcoming kind",
      "How friendly the %s is.", 0 },
    { "Politeness", "politeness courtesy respect respectfulness rudeness",
      "polite politely courteous courteously respectful rude",
      "How polite and respectful the %s is.", 0 },
    { "Professionalism", "professionalism",
      "professional professionally unprofessional businesslike",
      "How professional the %s is.", 0 },
    { "Empathy", "empathy compassion understanding_of_the_customer",
      "empathetic empathic compassionate caring",
      "Whether the %s shows understanding for the other person.", 0 },
    { "Formality", "formality register slang",
      "formal formally informal",
      "Whether the %s is as formal as it should be.", 0 },
    { "Engagement", "engagement hook",
      "engaging engage engages captivating compelling interesting boring dull "
      "gripping attention-grabbing holds_attention keep_attention exciting "
      "entertaining fun enjoyable",
      "How well the %s holds attention.", 0 },
    { "Originality", "originality novelty uniqueness plagiarism cliches "
      "clich\xc3\xa9s", "original novel unique unoriginal plagiarized "
      "plagiarised fresh",
      "How much of the %s is new and its own.", 0 },
    { "Creativity", "creativity imagination inventiveness",
      "creative creatively imaginative inventive innovative",
      "How much imagination the %s shows.", 0 },
    { "Humor", "humor humour wit jokes", "humorous funny witty amusing "
      "make_me_laugh makes_me_laugh makes_people_laugh make_people_laugh",
      "How well the humor of the %s works.", 0 },
    { "Persuasiveness", "persuasiveness persuasion",
      "persuasive convincing convincingly convince convinces persuade "
      "persuades",
      "How convincing the %s is.", 0 },
    { "Counterarguments", "counterarguments counterargument "
      "counter-arguments opposing_views", "",
      "How well the %s deals with what speaks against it.", 0 },
    { "Argumentation", "argumentation argument arguments reasoning logic",
      "logical logically well-reasoned well_argued well-argued reasoned",
      "How sound the reasoning of the %s is.", 0 },
    { "Evidence", "evidence proof data statistics",
      "supported evidence-based substantiated backed_up well-supported "
      "unsupported",
      "How well the claims of the %s are supported.", 0 },
    { "Sources", "source sources citation citations reference references "
      "referencing bibliography", "cite cites cited citing referenced",
      "Whether the %s names sources for what it says.", 0 },
    { "Examples", "examples illustrations", "illustrate illustrates",
      "Whether the %s makes its points with examples.", 0 },
    { "Vocabulary", "vocabulary word_choice wording diction", "",
      "How well the words of the %s are chosen.", 0 },
    { "Simplicity", "simplicity plain_language plain_english simple_language",
      "simple simply uncomplicated",
      "How simple the language of the %s is.", 0 },
    { "Jargon", "jargon buzzwords technical_terms acronyms", "",
      "How the %s deals with technical terms.", 0 },
    { "Objectivity", "objectivity neutrality impartiality bias balance "
      "fairness",
      "objective unbiased impartial neutral balanced biased even-handed",
      "How neutral and balanced the %s is.", 0 },
    { "Helpfulness", "helpfulness usefulness usability value",
      "helpful useful helps valuable",
      "How much the %s helps those it is made for.", 0 },
    { "Actionability", "actionability practicality next_steps",
      "actionable practical",
      "Whether one knows after the %s what to do.", 0 },
    { "Safety", "safety harm toxicity harmful_content",
      "safe harmful toxic offensive dangerous",
      "Whether the %s is free of what could harm people.", 0 },
    { "Trustworthiness", "honesty transparency credibility trust "
      "trustworthiness authenticity",
      "honest honestly transparent credible trustworthy authentic",
      "How far the %s can be trusted.", 0 },
    { "Timeliness", "timeliness recency", "up-to-date up_to_date timely "
      "recent outdated",
      "Whether the %s is up to date.", 0 },
    { "Length", "length word_count duration", "long short too_long too_short",
      "Whether the %s has the right length.", JUDGE_Q_DETAIL },
    { "Formatting", "format formatting layout presentation headings "
      "headers markdown bullet_points", "formatted",
      "Whether the form of the %s is as it should be.", 0 },
    { "Audience fit", "audience target_audience target_group readership "
      "suitability", "age-appropriate suitable tailored",
      "Whether the %s suits the people it is made for.", 0 },
    { "Call to action", "call_to_action call-to-action cta", "",
      "Whether the %s says what to do next.", 0 },
    { "Headline", "headline headlines title titles heading", "",
      "How good the headline of the %s is.", 0 },
    { "Introduction", "introduction intro opening opening_paragraph", "",
      "How well the %s begins.", 0 },
    { "Conclusion", "conclusion ending closing summary", "",
      "How well the %s ends.", 0 },
    { "Thesis", "thesis thesis_statement main_point main_idea", "",
      "Whether the %s has a main point and keeps to it.", JUDGE_Q_TEXT },
    { "Search optimization", "seo keywords keyword_usage keyword_density "
      "meta_description", "search-engine-friendly",
      "How well the %s is found by search engines.", JUDGE_Q_TEXT },
    { "Brand voice", "brand brand_voice branding brand_guidelines",
      "on-brand on_brand off-brand",
      "Whether the %s sounds like the brand.", 0 },
    { "Emotional impact", "emotion emotions impact emotional_impact",
      "emotional emotionally moving touching",
      "What the %s makes people feel.", 0 },
    { "Storytelling", "storytelling story narrative plot storyline", "",
      "How well the %s tells its story.", 0 },
    { "Characters", "characters character_development characterization "
      "characterisation", "",
      "How real the characters of the %s are.", 0 },
    { "Dialogue", "dialogue dialog dialogues", "",
      "How natural the dialogue of the %s is.", 0 },
    { "Pacing", "pacing pace tempo rhythm", "well-paced",
      "Whether the %s goes on neither too fast nor too slowly.", 0 },
    { "Accessibility", "accessibility inclusivity inclusiveness "
      "inclusive_language", "accessible inclusive",
      "Whether the %s is open to everybody.", 0 },
    { "Fluency", "fluency naturalness", "fluent fluently natural "
      "natural-sounding idiomatic",
      "How natural the language of the %s is.", 0 },
    { "Faithfulness", "faithfulness fidelity hallucination hallucinations "
      "made-up_facts",
      "faithful faithful_to_the_source hallucinate hallucinates invented "
      "fabricated made-up grounded",
      "Whether the %s says no more than its source does.", 0 },
    { "Following instructions", "following_instructions "
      "instruction-following adherence",
      "follows_the_instructions follow_the_instructions "
      "follows_instructions follow_instructions",
      "Whether the %s does what was asked for.", 0 },
    { "Answering the question", "responsiveness",
      "answers_the_question answer_the_question addresses_the_question "
      "address_the_question answers_the_prompt answer_the_prompt responsive",
      "Whether the %s answers what was asked.", 0 },
    { "Problem solving", "problem_solving problem-solving solution "
      "solutions resolution", "solve solves solved resolve resolves resolved",
      "Whether the %s solves the problem.", 0 },
    { "Specificity", "specificity precision", "specific specifically precise "
      "precisely concrete vague",
      "How precise and concrete the %s is.", 0 },
    { "Variety", "variety sentence_variety", "varied",
      "How varied the %s is.", 0 },
    { "Memorability", "memorability", "memorable catchy",
      "How well the %s is remembered.", 0 },
    { "Compliance", "compliance regulations gdpr policy policies",
      "compliant legal legally",
      "Whether the %s keeps to the rules.", 0 },
    { "Privacy", "privacy personal_data", "confidential",
      "Whether the %s keeps personal data out.", 0 },
    { "Composition", "composition framing", "framed well-composed",
      "How well the picture of the %s is composed.", JUDGE_Q_SEEN },
    { "Lighting", "lighting light exposure brightness contrast",
      "well-lit well_lit overexposed underexposed",
      "How well the %s is lit.", JUDGE_Q_SEEN },
    { "Sharpness", "sharpness resolution blur", "sharp blurry in_focus "
      "out_of_focus pixelated",
      "How sharp the %s is.", JUDGE_Q_SEEN },
    { "Color", "color colour colors colours color_grading palette "
      "saturation", "colorful colourful",
      "How well the colors of the %s work.", JUDGE_Q_SEEN },
    { "Camera work", "camera camera_work stability",
      "shaky steady",
      "How well the camera of the %s is handled.", JUDGE_Q_VIDEO },
    { "Visual quality", "visuals visual_quality video_quality image_quality "
      "picture_quality visual_appeal aesthetics design graphics",
      "visually aesthetic visually_appealing",
      "How good the %s looks.", JUDGE_Q_SEEN },
    { "Sound quality", "audio_quality sound_quality sound audio noise "
      "background_noise volume loudness", "audible noisy",
      "How good the %s sounds.", JUDGE_Q_HEARD },
    { "Pronunciation", "pronunciation enunciation articulation",
      "pronounced mumbled",
      "How clearly the words of the %s are spoken.", JUDGE_Q_HEARD },
    { "Delivery", "delivery", "delivered",
      "How well the %s is presented.", JUDGE_Q_HEARD },
    { "Editing", "editing cuts montage", "well-edited edited",
      "How well the %s is cut.", JUDGE_Q_HEARD },
    { "Music", "music soundtrack", "",
      "How well the music of the %s fits.", JUDGE_Q_HEARD },
    { "Subtitles", "subtitles closed_captions", "",
      "How good the subtitles of the %s are.", JUDGE_Q_VIDEO },
    { "Overall quality", "quality",
      "good great nice better best excellent amazing awesome cool",
      "How good the %s is as a whole.", JUDGE_Q_VAGUE | JUDGE_Q_DETAIL }
};

#define JUDGE_QUALITIES                                                       \
    (int) (sizeof(judge_qualities) / sizeof(judge_qualities[0]))


static const char *const  judge_parse_classes[JUDGE_PW_CLASSES] = {

    /* filler */
    "a an the this that these those its it is are be being been was were "
    "their his her our your my any all some how whether if very really truly "
    "quite highly overall general good great high strong proper appropriate "
    "well good-quality should must will would use uses using used has have "
    "having do does of level degree amount make makes sure ensure that which "
    "also always both each every other another more most please there they "
    "we you i to and so too just really as in for on with by at from",

    /* generic */
    "text texts article articles essay essays post posts content contents "
    "video videos answer answers response responses reply replies story "
    "stories email emails e-mail letter letters message messages writer "
    "author speaker student students piece pieces page pages document "
    "documents report reports image images picture pictures photo photos "
    "audio podcast podcasts recording recordings episode episodes presenter "
    "agent review reviews it they we you submission submissions entry entries "
    "copy description descriptions everything writing work works output "
    "outputs translation translations summaries script scripts candidate "
    "participant clip clips item items blog blogs newsletter newsletters "
    "comment comments ad ads tweet tweets poem poems model assistant chatbot "
    "judge rubric evaluator tutorial tutorials guide guides chapter "
    "chapters summary course lesson lecture speech presentation "
    "transcript transcripts resume application pitch conversation chat "
    "interview bot slogan slogans poems song songs captions lyrics "
    "one each abstract abstracts paper papers proposal proposals he she these "
    "them this that who which narrator host",

    /* verb */
    "explain explains cite cites use uses include includes mention mentions "
    "answer answers address addresses provide provides give gives show shows "
    "describe describes state states have has contain contains follow "
    "follows stay stays keep keeps begin begins start starts end ends open "
    "opens close closes avoid avoids support supports link links quote "
    "quotes reference references engage engages inspire inspires respect "
    "respects offer offers present presents make makes tell tells teach "
    "teaches name names list lists refer refers be is are solve solves help "
    "helps sound sounds feel feels read reads look looks connect connects "
    "compare compares summarize summarizes summarise argue argues convince "
    "demonstrate demonstrates define defines introduce introduces apologize "
    "apologizes acknowledge acknowledges thank thanks greet greets sign ask "
    "asks build builds cover covers meet meets match matches speak speaks "
    "write hold holds lead leads stick sticks get gets leave leaves reach "
    "reaches take takes run runs last fit fits draw draws focus focuses "
    "illustrate illustrates flow flows express expresses identify identifies",

    /* modal */
    "should must needs need has have ought shall may can cannot can't will "
    "shouldn't mustn't won't needn't",

    /* strict */
    "must never required strictly absolutely mandatory essential no cannot "
    "mustn't critical crucial always forbidden unacceptable",

    /* lenient */
    "ideally preferably optionally bonus nice-to-have optional possibly",

    /* glue */
    "is are was be being should must will would has have count counts "
    "counting weigh weighs weighted worth make makes up account accounts for "
    "get gets goes go to with a an the weight weighting weights of at as "
    "carry carries given give gives giving receive receives also points "
    "score grade total importance priority our my its contributes matter "
    "matters mattering put place assign assigned then rest remaining "
    "remainder most what thing criterion factor aspect part i we want "
    "you it important by far all still very being percent pct that "
    "considered us me marks mark value emphasis focus",

    /* preposition */
    "of in for to with on at by from about into through over between "
    "without within across among per against towards after before during "
    "when while because so if that which who where than unless rather "
    "instead",

    /* vague */
    "good great nice better best fine decent amazing awesome cool okay ok "
    "bad interesting stuff things quality",

    /* open */
    "some several many few enough various multiple numerous sufficient "
    "reasonable adequate appropriate",

    /* not */
    "not no never avoid avoids avoiding without don't doesn't isn't aren't "
    "shouldn't mustn't can't cannot nor none neither penalize penalise "
    "deduct subtract free lacks lack dislike hate minimize minimise "
    "refrain punish punishes",

    /* judge */
    "judge judges judging evaluate evaluates evaluated evaluating assess "
    "assessed assessing score scored scoring rate rated rating grade graded "
    "grading rank ranked ranking review measure examine analyze analyse "
    "mark weigh compare critique consider considering looking look focus "
    "check checking verify",

    /* common */
    "the a an and or of to in is are be for on it that this with as by not "
    "should must if from at we i you our your they their its have has how "
    "whether do does no all more most use but can will which what than so "
    "each any who when up out about into only also very good"
};


static const char *const  judge_parse_numbers[] = {
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight",
    "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
    "sixteen", "seventeen", "eighteen", "nineteen", "twenty"
};


const judge_quality_t *
judge_quality(int index)
{
    return (index < 0 || index >= JUDGE_QUALITIES) ? NULL
                                                   : &judge_qualities[index];
}


int
judge_quality_find(const char *name)
{
    int  i;

    for (i = 0; i < JUDGE_QUALITIES; i++) {
        if (strcmp(judge_qualities[i].name, name) == 0) {
            return i;
        }
    }

    return -1;
}


/* Whether `word` is one of the words, which have spaces between. */

static bool
judge_parse_among(judge_str_t word, const char *words)
{
    size_t  n;

    while (*words != '\0') {
        n = strcspn(words, " ");

        if (n == word.len && memcmp(words, word.data, n) == 0) {
            return true;
        }

        words += n;
        words += (*words == ' ');
    }

    return false;
}


bool
judge_parse_is(const judge_parse_token_t *token, judge_parse_class_e class)
{
    return token->kind == JUDGE_P_WORD
           && judge_parse_among(token->low, judge_parse_classes[class]);
}


bool
judge_parse_word(const judge_parse_token_t *token, const char *word)
{
    return token->kind == JUDGE_P_WORD && judge_str_eq_c(token->low, word);
}


bool
judge_parse_mark(const judge_parse_token_t *token, char mark)
{
    return token->kind == JUDGE_P_MARK && token->mark == mark;
}


bool
judge_parse_number(const judge_parse_token_t *token, double *value)
{
    size_t  i;

    if (token->kind == JUDGE_P_NUMBER) {
        *value = token->number;
        return true;
    }

    if (token->kind != JUDGE_P_WORD) {
        return false;
    }

    for (i = 0; i < sizeof(judge_parse_numbers) / sizeof(char *); i++) {
        if (judge_str_eq_c(token->low, judge_parse_numbers[i])) {
            *value = (double) i;
            return true;
        }
    }

    return false;
}


size_t
judge_parse_phrase(const judge_parse_token_t *tokens, size_t at, size_t to,
    const char *words)
{
    size_t       n, count;
    judge_str_t  low;

    for (count = 0; *words != '\0'; count++) {
        n = strcspn(words, "_ ");

        if (at + count >= to || tokens[at + count].kind != JUDGE_P_WORD) {
            return 0;
        }

        low = tokens[at + count].low;

        if (low.len != n || memcmp(low.data, words, n) != 0) {
            return 0;
        }

        words += n;

        if (*words == ' ') {
            return count + 1;
        }

        words += (*words == '_');
    }

    return count;
}


/* The longest phrase of the list that begins at the token. */

static size_t
judge_quality_match(const judge_parse_token_t *tokens, size_t at, size_t n,
    const char *words)
{
    size_t  count, best;

    best = 0;

    while (*words != '\0') {
        if (tokens[at].low.len > 0 && *words == tokens[at].low.data[0]) {
            count = judge_parse_phrase(tokens, at, n, words);
            best = (count > best) ? count : best;
        }

        words += strcspn(words, " ");
        words += (*words == ' ');
    }

    return best;
}


unsigned
judge_quality_media(judge_parse_type_e type)
{
    static const unsigned  media[] = {
        JUDGE_Q_TEXT, JUDGE_Q_VIDEO, JUDGE_Q_AUDIO, JUDGE_Q_IMAGE
    };

    return media[type];
}


/* 2: made for that kind of content; 1: for any; 0: for another. */

static int
judge_quality_fits(int q, unsigned media)
{
    unsigned  flags;

    flags = judge_qualities[q].flags & (JUDGE_Q_TEXT | JUDGE_Q_VIDEO
                                        | JUDGE_Q_AUDIO | JUDGE_Q_IMAGE);

    return (flags == 0) ? 1 : (flags & media) != 0 ? 2 : 0;
}


void
judge_quality_mark(judge_parse_token_t *tokens, size_t n, unsigned media)
{
    int                   q;
    size_t                i, k, count;
    judge_parse_token_t  *t;

    for (i = 0; i < n; i++) {
        t = &tokens[i];
        t->quality = -1;
        t->span = 1;
        t->noun = false;

        for (q = 0; t->kind == JUDGE_P_WORD && q < JUDGE_QUALITIES; q++) {
            for (k = 0; k < 2; k++) {
                count = judge_quality_match(tokens, i, n,
                                            (k == 0)
                                            ? judge_qualities[q].nouns
                                            : judge_qualities[q].others);

                if (count > 0
                    && (t->quality < 0 || count > t->span
                        || (count == t->span
                            && judge_quality_fits(q, media)
                               > judge_quality_fits(t->quality, media))))
                {
                    t->quality = (int16_t) q;
                    t->span = (uint8_t) count;
                    t->noun = (k == 0);
                }
            }
        }
    }
}
