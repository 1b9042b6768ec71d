/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */



/*
 * The words of rubrics: qualities with the forms in which people name them,
 * and the classes of words and phrases that the rules are written in.
 */


#include <string.h>

#include "base/core/hash.h"
#include "analysis/criteria/criteria_context.h"


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


static const judge_words_row_t  judge_words_rows[] = {
    { JUDGE_W_FILLER, 0,
      "a an the this that these those its it is are be being been was were "
      "their his her our your my any all some how whether if very really "
      "truly quite highly overall general good great high strong proper "
      "appropriate well good-quality should must will would use uses using "
      "used has have having do does of level degree amount make makes sure "
      "ensure which also always both each every other another more most "
      "please there they we you i to and so too just as in for on with by at "
      "from" },
    { JUDGE_W_GENERIC, 0,
      "text texts article articles essay essays post posts content contents "
      "video videos answer answers response responses reply replies story "
      "stories email emails e-mail letter letters message messages writer "
      "author speaker student students piece pieces page pages document "
      "documents report reports image images picture pictures photo photos "
      "audio podcast podcasts recording recordings episode episodes presenter "
      "agent review reviews it they we you submission submissions entry "
      "entries copy description descriptions everything writing work works "
      "output outputs translation translations summaries script scripts "
      "candidate participant clip clips item items blog blogs newsletter "
      "newsletters comment comments ad ads tweet tweets poem poems model "
      "assistant chatbot judge rubric evaluator tutorial tutorials guide "
      "guides chapter chapters summary course lesson lecture speech "
      "presentation transcript transcripts resume application pitch "
      "conversation chat interview bot slogan slogans song songs captions "
      "lyrics one each abstract abstracts paper papers proposal proposals he "
      "she these them this that who which narrator host" },
    { JUDGE_W_VERB, 0,
      "explain explains cite cites use uses include includes mention mentions "
      "answer answers address addresses provide provides give gives show "
      "shows describe describes state states have has contain contains follow "
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
      "illustrate illustrates flow flows express expresses identify "
      "identifies" },
    { JUDGE_W_STRICT, 0,
      "must never required strictly absolutely mandatory essential no cannot "
      "mustn't critical crucial always forbidden unacceptable" },
    { JUDGE_W_LENIENT, 0,
      "ideally preferably optionally bonus nice-to-have optional possibly" },
    { JUDGE_W_GLUE, 0,
      "is are was be being should must will would has have count counts "
      "counting weigh weighs weighted worth make makes up account accounts "
      "for get gets goes go to with a an the weight weighting weights of at "
      "as carry carries given give gives giving receive receives also points "
      "score grade total importance priority our my its contributes matter "
      "matters mattering put place assign assigned then rest remaining "
      "remainder most what thing criterion factor aspect part i we want you "
      "it important by far all still very percent pct that considered us me "
      "marks mark value emphasis focus" },
    { JUDGE_W_PREPOSITION, 0,
      "of in for to with on at by from about into through over between "
      "without within across among per against towards after before during "
      "when while because so if that which who where than unless rather "
      "instead" },
    { JUDGE_W_VAGUE, 0,
      "good great nice better best fine decent amazing awesome cool okay ok "
      "bad interesting stuff things quality" },
    { JUDGE_W_OPEN, 0,
      "some several many few enough various multiple numerous sufficient "
      "reasonable adequate appropriate" },
    { JUDGE_W_NOT, 0,
      "not no never avoid avoids avoiding without don't doesn't isn't aren't "
      "shouldn't mustn't can't cannot nor none neither penalize penalise "
      "deduct subtract free lacks lack dislike hate minimize minimise refrain "
      "punish punishes" },
    { JUDGE_W_JUDGE, 0,
      "judge judges judging evaluate evaluates evaluated evaluating assess "
      "assessed assessing score scored scoring rate rated rating grade graded "
      "grading rank ranked ranking review measure examine analyze analyse "
      "mark weigh compare critique consider considering looking look focus "
      "check checking verify" },
    { JUDGE_W_COMMON, 0,
      "the a an and or of to in is are be for on it that this with as by not "
      "should must if from at we i you our your they their its have has how "
      "whether do does no all more most use but can will which what than so "
      "each any who when up out about into only also very good" },
    { JUDGE_W_NUMBER, 0, "zero" }, { JUDGE_W_NUMBER, 1, "one" },
    { JUDGE_W_NUMBER, 2, "two" }, { JUDGE_W_NUMBER, 3, "three" },
    { JUDGE_W_NUMBER, 4, "four" }, { JUDGE_W_NUMBER, 5, "five" },
    { JUDGE_W_NUMBER, 6, "six" }, { JUDGE_W_NUMBER, 7, "seven" },
    { JUDGE_W_NUMBER, 8, "eight" }, { JUDGE_W_NUMBER, 9, "nine" },
    { JUDGE_W_NUMBER, 10, "ten" }, { JUDGE_W_NUMBER, 11, "eleven" },
    { JUDGE_W_NUMBER, 12, "twelve" }, { JUDGE_W_NUMBER, 15, "fifteen" },
    { JUDGE_W_NUMBER, 20, "twenty" },
    { JUDGE_W_ABBREVIATION, 0, "etc vs approx incl" },
    { JUDGE_W_LIGHT, 0,
      "use uses using make makes making include includes including have has "
      "having contain contains containing show shows get any too the a an "
      "those that which who ones" },
    { JUDGE_W_BE, 0, "be is are being was were" },
    { JUDGE_W_PERSON, 0, "we you they these this" },
    { JUDGE_W_DIVIDER, 0,
      "and plus but while whereas yet as_well_as along_with followed_by" },
    { JUDGE_W_FAULT, 0,
      "mistakes errors issues problems content language remarks comments "
      "claims words phrases terms" },
    { JUDGE_W_CONNECTOR, 0, "or then also" },
    { JUDGE_W_WHEN, 0, "when while as" },
    { JUDGE_W_OPENING, 0,
      "also additionally furthermore finally first_of_all firstly secondly "
      "thirdly lastly moreover however in_addition please and but besides "
      "of_course i_think in_general generally overall in_short first second "
      "third next then again so" },
    { JUDGE_W_BEFORE, 0,
      "i we you please they would like to want the judge judges also really "
      "mainly mostly primarily let's must need needs can could be are is "
      "going our team reviewers editors jury should will it each every all "
      "this finally then next first second third lastly additionally "
      "furthermore moreover and but so in addition when especially always i'd "
      "we'd i'm we're text texts essay essays article articles video videos "
      "content answer answers post posts response responses help me us that "
      "ideally just simply particularly what" },
    { JUDGE_W_LEAD, JUDGE_S_CLAUSE,
      "make_sure_that make_sure ensure_that ensure check_that check_whether "
      "check_if see_if see_whether verify_that verify_whether verify_if "
      "determine_whether determine_if whether want_it_to expect_it_to "
      "it_is_important_that it's_important_that it_matters_that "
      "it_is_essential_that look_at_whether look_at_how" },
    { JUDGE_W_LEAD, JUDGE_S_FAULT,
      "deduct_points_if take_off_points_if subtract_points_if penalize_if "
      "penalise_if lower_the_score_if mark_down_if take_points_off_if "
      "deduct_points_when reject_if" },
    { JUDGE_W_LEAD, JUDGE_S_AVOID,
      "deduct_points_for take_off_points_for subtract_points_for "
      "points_off_for take_points_off_for mark_down_for penalize penalise "
      "penalties_for avoid stay_away_from watch_out_for refrain_from dislike "
      "hate without there_should_be_no there_must_be_no no minimize minimise "
      "steer_clear_of deduct_for lower_the_score_for" },
    { JUDGE_W_LEAD, JUDGE_S_DONT,
      "do_not don't never must_not mustn't should_not shouldn't" },
    { JUDGE_W_LEAD, JUDGE_S_BONUS,
      "bonus_points_for bonus_for extra_points_for extra_credit_for "
      "a_bonus_for a_small_bonus_for nice_to_have nice_to_have_are "
      "bonus_points_go_to" },
    { JUDGE_W_LEAD, JUDGE_S_LIST,
      "look_for looking_for looks_for look_at looking_at check_for focus_on "
      "focusing_on pay_attention_to pays_attention_to keep_an_eye_on "
      "care_about cares_about cares_most_about care_most_about "
      "care_mostly_about care_mainly_about care_a_lot_about give_points_for "
      "award_points_for points_for credit_for reward rewards value values "
      "appreciate prioritize prioritise the_criteria_are criteria_are "
      "our_criteria_are what_matters_is what_matters_to_us_is what_counts_is "
      "what_matters_most_is what_counts_most_is the_main_criteria_are we_want "
      "we_need we_like we_love we_prefer we_expect i_want i_need i_like "
      "i_love i_prefer i_expect things_like aspects_like want need expect "
      "love prefer emphasize emphasise emphasis_on depends_on "
      "criteria_include include_criteria_for criteria_like" },
    { JUDGE_W_LEAD, JUDGE_S_JUDGE,
      "judge evaluate assess score rate grade rank critique review measure "
      "evaluating judging assessing scoring rating grading judged evaluated "
      "assessed scored rated graded mark weigh compare check consider analyze "
      "analyse examine" },
    { JUDGE_W_TITLE, JUDGE_L_AVOID,
      "must_not do_not don't don'ts don't_do things_to_avoid avoid "
      "what_to_avoid no-gos no-go never red_flags penalties bad" },
    { JUDGE_W_TITLE, JUDGE_L_BONUS,
      "nice_to_have nice-to-have nice_to_haves bonus bonus_points optional "
      "should_have extra_credit could_have" },
    { JUDGE_W_TITLE, JUDGE_L_STRICT,
      "must_have must-have must-haves must_haves required requirements "
      "mandatory must" },
    { JUDGE_W_TITLE, JUDGE_L_SCALE,
      "scale scoring_scale rating_scale scoring score_levels levels "
      "scoring_guide grading_scale grades thresholds scores rating "
      "score_bands" },
    { JUDGE_W_TITLE, JUDGE_L_EXAMPLE,
      "example examples for_example sample e.g." },
    { JUDGE_W_TITLE, JUDGE_L_IGNORE,
      "context background about about_us introduction overview notes note "
      "goal goals purpose task role instructions instruction output "
      "output_format format_of_the_answer important audience input disclaimer "
      "title name content_type" },
    { JUDGE_W_TITLE, JUDGE_L_CRITERIA,
      "criteria evaluation_criteria judging_criteria the_criteria rubric "
      "what_we_look_for what_to_look_for look_for what_matters do dos "
      "grading_criteria scoring_criteria our_criteria quality_criteria "
      "guidelines points_to_check checklist please_check weights weighting "
      "weightings weight importance priorities priority weighing" },
    { JUDGE_W_ON, 0,
      "on based_on by according_to in_terms_of with_respect_to regarding "
      "against along with_regard_to using in_regard_to for across how whether "
      "considering" },
    { JUDGE_W_ASK, 0,
      "does do is are has have can will did was were to_what_extent how_well "
      "how_much how_often how what_about could would should" },
    { JUDGE_W_MODAL, 0,
      "should_always must_always should_also must_also should must shall "
      "ought_to needs_to need_to has_to have_to is_expected_to "
      "are_expected_to is_supposed_to is_required_to" },
    { JUDGE_W_MODAL, 1,
      "shouldn't mustn't can't cannot may_not should_not must_not "
      "should_never must_never can_not shall_not may_never needn't" },
    { JUDGE_W_NO, 0,
      "no punish penalize penalise without avoid avoids avoiding lack_of "
      "absence_of the_absence_of free_of free_from a_lack_of is_free_of "
      "be_free_of are_free_of be_free_from" },
    { JUDGE_W_DONT, 0,
      "not never do_not don't does_not doesn't must_not should_not is_not "
      "isn't are_not" },
    { JUDGE_W_QUANTIFIED, 0, "more less fewer only exceed" },
    { JUDGE_W_SHARED, 0,
      "be is are have has contain contains include includes show shows use "
      "uses with" },
    { JUDGE_W_ONE, 0, "it this that which this_one" },
    { JUDGE_W_MANY, 0,
      "they both these all all_of_them all_criteria all_of_these both_of_them "
      "each everything all_three all_four all_the_criteria each_of_these "
      "each_criterion" },
    { JUDGE_W_OTHERS, 0,
      "the_rest the_others others other_two other_three anything_else "
      "everything_else all_others all_the_others all_other_criteria "
      "the_other_criteria the_other_two the_other_three the_other "
      "other_criteria any_of_the_others any_other" },
    { JUDGE_W_PLURAL, 0, "are matter count carry weigh have get both make" },
    { JUDGE_W_ORDINAL, 0, "first" }, { JUDGE_W_ORDINAL, 1, "second" },
    { JUDGE_W_ORDINAL, 2, "third" }, { JUDGE_W_ORDINAL, 3, "fourth" },
    { JUDGE_W_ORDINAL, 4, "fifth" }, { JUDGE_W_ORDINAL, -1, "last" },
    { JUDGE_W_FACTOR, 3,
      "counts_triple count_triple triple_weight counts_threefold" },
    { JUDGE_W_FACTOR, 2,
      "counts_double count_double counts_twice count_twice double_weight "
      "weighs_double counted_double worth_double worth_twice" },
    { JUDGE_W_MOST, 2,
      "most_important matters_most matter_most mattering_most most_of_all "
      "above_all first_and_foremost top_priority highest_priority "
      "main_priority most_weight mainly primarily most_heavily counts_most "
      "count_most more_than_anything most_importantly number_one_priority "
      "paramount weighs_most highest_weight biggest_factor matters_the_most "
      "matter_the_most most_crucial most_critical" },
    { JUDGE_W_FACTOR, 1.5,
      "very_important really_important extremely_important "
      "particularly_important especially_important super_important "
      "high_weight high_priority extra_weight more_weight must-have "
      "very_high_weight highly_important matters_a_lot matter_a_lot "
      "counts_a_lot weighs_heavily weigh_heavily" },
    { JUDGE_W_PREDICATE, 1.5,
      "crucial critical vital essential heavily key especially" },
    { JUDGE_W_PREDICATE, 1, "important" },
    { JUDGE_W_FACTOR, 0.4f,
      "least_important matters_least matter_least lowest_weight "
      "lowest_priority counts_least" },
    { JUDGE_W_FACTOR, 0.5,
      "less_important matters_less matter_less less_weight nice_to_have "
      "nice-to-have low_weight low_priority lower_weight lower_priority "
      "not_that_important not_so_important not_very_important "
      "not_as_important less_so to_a_lesser_extent to_a_lesser_degree "
      "counts_half count_half half_weight counts_less count_less "
      "less_critical not_crucial not_critical not_essential secondary_concern "
      "small_bonus bonus_points extra_credit minor_concern minor_importance "
      "secondary_importance minor_role small_part not_required not_necessary "
      "a_plus is_nice is_welcome would_be_nice" },
    { JUDGE_W_PREDICATE, 0.5, "secondary minor optional bonus" },
    { JUDGE_W_EQUAL, 0,
      "equally_important equally equal_weight equal_weights same_weight "
      "evenly equal_importance count_the_same counts_the_same weigh_the_same "
      "same_importance" },
    { JUDGE_W_RANKED, 0,
      "order_of_importance order_of_priority most_important_first "
      "from_most_to_least_important descending_order priority_order "
      "ranked_by_importance sorted_by_importance by_importance by_priority "
      "importance_order" },
    { JUDGE_W_REST, 0,
      "the_rest_is the_rest_goes the_rest_for the_rest_on the_remainder_is "
      "the_remainder_goes the_remainder_for the_remaining rest_for" },
    { JUDGE_W_UNIT, 0, "points point pts pt marks credits" },
    { JUDGE_W_PERCENT, 0, "percent pct per_cent" },
    { JUDGE_W_PART, 50, "half_of_the one_half_of_the" },
    { JUDGE_W_PART, 100.0f / 3, "a_third_of_the one_third_of_the" },
    { JUDGE_W_PART, 200.0f / 3, "two_thirds_of_the" },
    { JUDGE_W_PART, 25, "a_quarter_of_the one_quarter_of_the" },
    { JUDGE_W_PART, 75, "three_quarters_of_the" },
    { JUDGE_W_PART, 20, "a_fifth_of_the one_fifth_of_the" },
    { JUDGE_W_PART, 10, "a_tenth_of_the" },
    { JUDGE_W_BOUNDED, 0,
      "least most than under over above below about around exceed" },
    { JUDGE_W_WHOLE, 0,
      "score grade weight total points mark evaluation final overall result "
      "rating marks importance judgment judgement" },
    { JUDGE_W_WEIGHT, 0,
      "weight weighting weighted weigh weighs priority importance" },
    { JUDGE_W_LINK, 0, "of at is" },
    { JUDGE_W_FOLD, 2, "twice double" }, { JUDGE_W_FOLD, 3, "triple" },
    { JUDGE_W_FOLD, 0.5, "half" },
    { JUDGE_W_MUCH, 0,
      "important much heavily heavy weight many points valuable relevant "
      "the_weight the_importance the_points" },
    { JUDGE_W_MORE_THAN, 0,
      "more_important_than matters_more_than matter_more_than "
      "more_weight_than counts_more_than count_more_than weighs_more_than "
      "outweighs outweigh higher_than more_than takes_precedence_over beats "
      "comes_before" },
    { JUDGE_W_LESS_THAN, 0,
      "less_important_than matters_less_than matter_less_than "
      "less_weight_than counts_less_than count_less_than weighs_less_than "
      "not_as_important_as less_than" },
    { JUDGE_W_PREFER, 0, "prioritize prioritise favor favour" },
    { JUDGE_W_SCALE, 0, "on_a_scale scale_of scale_from" },
    { JUDGE_W_BOUND, JUDGE_P_LOW,
      "at_least a_minimum_of minimum_of minimum min no_fewer_than "
      "no_less_than not_less_than more_than longer_than" },
    { JUDGE_W_BOUND, JUDGE_P_HIGH,
      "no_more_than not_more_than at_most a_maximum_of maximum_of maximum max "
      "up_to less_than fewer_than shorter_than not_exceed under below "
      "within" },
    { JUDGE_W_BOUND, JUDGE_P_EXACT, "exactly" },
    { JUDGE_W_BOUND, JUDGE_P_NEAR, "about around approximately roughly" },
    { JUDGE_W_LENGTH, 0,
      "words word characters character sentences sentence paragraphs "
      "paragraph pages page lines line minutes minute seconds second hours "
      "tokens" },
    { JUDGE_W_LEVEL, 0,
      "excellent outstanding exceptional exemplary perfect" },
    { JUDGE_W_LEVEL, 1, "good strong proficient solid" },
    { JUDGE_W_LEVEL, 2,
      "fair average acceptable satisfactory adequate pass passing mediocre ok "
      "okay developing" },
    { JUDGE_W_LEVEL, 3,
      "poor bad weak failing fail fails unacceptable unsatisfactory "
      "inadequate" },
    { JUDGE_W_BELOW, 0, "below under less lower fewer" },
    { JUDGE_W_SCORED, 0,
      "score scores scored scoring points mark marks threshold thresholds "
      "pass rating ratings" },
    { JUDGE_W_EXAMPLE, 0, "for_example for_instance such_as e.g. eg" },
    { JUDGE_W_COLUMN, 0, "criterion criteria name" }
};


const judge_words_row_t *
judge_words_row(size_t i)
{
    return (i < sizeof(judge_words_rows) / sizeof(judge_words_rows[0]))
           ? &judge_words_rows[i] : NULL;
}


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

    for (i = JUDGE_QUALITIES - 1; i >= 0; i--) {
        if (strcmp(judge_qualities[i].name, name) == 0) {
            break;
        }
    }

    return i;
}


unsigned
judge_quality_media(judge_parse_type_e type)
{
    static const unsigned  media[] = {
        JUDGE_Q_TEXT, JUDGE_Q_VIDEO, JUDGE_Q_AUDIO, JUDGE_Q_IMAGE
    };

    return media[type];
}
