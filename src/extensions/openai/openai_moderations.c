/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Moderation by the only category with a measurement that was validated:
 * insults and obscene words in English (respect.txt).  The other categories
 * are not judged; their members exist because clients read them. */


#include <math.h>
#include <stdio.h>

#include "analysis/builtin/engine.h"
#include "extensions/openai/openai.h"


#define JUDGE_OPENAI_INPUTS  32        /* texts of a request */
#define JUDGE_OPENAI_RUDE    50        /* lower scores are flagged: about one
                                          insult in 40 words */

/* The context of the route. */
typedef struct {
    judge_json_t  *input;
    judge_str_t    model;
    judge_str_t    texts[JUDGE_OPENAI_INPUTS];
    double         scores[JUDGE_OPENAI_INPUTS];  /* of respect; NAN: none */
    size_t         count;
} judge_openai_moderation_t;

static void judge_openai_moderate(judge_req_t *r);

static const judge_field_t  judge_openai_moderation_fields[] = {
    judge_field(judge_openai_moderation_t, input, ANY, JUDGE_REQUIRED, 0, 0),
    judge_field(judge_openai_moderation_t, model, STRING, 0, 0, 100),
    { .name = NULL }
};

const judge_route_t  judge_openai_moderation_routes[] = {
    { judge_route(POST, JUDGE_OPENAI_PATH "/moderations",
                  JUDGE_MAY_WRITE_EVALUATIONS, 0, judge_openai_moderation_t),
      .body = judge_openai_moderation_fields,
      .handler = judge_openai_moderate },
    { .pattern = NULL }
};

static const char *const  judge_openai_categories[] = {
    "harassment", "harassment/threatening", "hate", "hate/threatening",
    "illicit", "illicit/violent", "self-harm", "self-harm/instructions",
    "self-harm/intent", "sexual", "sexual/minors", "violence",
    "violence/graphic", NULL
};


/* Reads the texts of a string, an array of strings, or of parts. */

static bool
judge_openai_moderation_texts(judge_openai_moderation_t *m, size_t max)
{
    judge_str_t          text;
    const judge_json_t  *v;

    v = m->input->type == JUDGE_JSON_ARRAY ? m->input->first : m->input;

    for ( /* void */ ; v; v = v == m->input ? NULL : v->next) {
        text = v->type == JUDGE_JSON_STRING ? v->string
                                            : judge_json_string(v, "text");

        if (text.data == NULL || text.len > max
            || m->count == JUDGE_OPENAI_INPUTS)
        {
            return false;
        }

        m->texts[m->count++] = text;
    }

    return m->count > 0;
}


static void
judge_openai_moderation_score(judge_req_t *r)
{
    size_t                      i;
    judge_item_t                item;
    judge_scorer_t             *scorer;
    judge_verdict_t             verdict;
    judge_openai_moderation_t  *m = r->ctx;
    judge_criterion_t           criterion = {
        .id = JUDGE_STR("respect"), .name = JUDGE_STR("Respect"),
        .description = JUDGE_STR("respect without insults"), .weight = 1
    };
    judge_rubric_t              rubric = {
        .name = JUDGE_STR("Respect"), .description = JUDGE_STR(""),
        .criteria = &criterion, .ncriteria = 1
    };

    scorer = judge_scorer_create(r->arena, &rubric);
    r->rc = scorer ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; i < m->count && r->rc == JUDGE_OK; i++) {
        item = (judge_item_t) { .text = m->texts[i] };
        r->rc = judge_score(scorer, &item, r->arena, &verdict);
        m->scores[i] = r->rc == JUDGE_OK && m->texts[i].len
                       ? verdict.scores[0].score : NAN;
    }
}


/* Writes an object with all categories; only the first one is judged. */

static void
judge_openai_moderation_put(judge_json_writer_t *w, const char *name,
    const char *first, const char *others)
{
    size_t  i;

    judge_json_key_object(w, name);

    for (i = 0; judge_openai_categories[i]; i++) {
        judge_json_put_raw(w, judge_openai_categories[i],
                           judge_str_c(i == 0 ? first : others));
    }

    judge_json_object_end(w);
}


static void
judge_openai_moderation_write(judge_json_writer_t *w, double score)
{
    char  insults[16];
    bool  rude = score < JUDGE_OPENAI_RUDE;      /* false without a score */

    (void) snprintf(insults, sizeof(insults), "%.2f",
                    isnan(score) ? 0 : (100 - score) / 100);
    judge_json_object(w);
    judge_json_put_bool(w, "flagged", rude);
    judge_openai_moderation_put(w, "categories", rude ? "true" : "false",
                                "false");
    judge_openai_moderation_put(w, "category_scores", insults, "0");
    judge_openai_moderation_put(w, "category_applied_input_types",
                                isnan(score) ? "[]" : "[\"text\"]", "[]");
    judge_json_object_end(w);
}


static void
judge_openai_moderated(judge_req_t *r)
{
    size_t                      i;
    judge_json_writer_t        *w;
    judge_openai_moderation_t  *m = r->ctx;

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "id", judge_openai_id(r->arena, "modr-",
                                                judge_now(r->service)));
    judge_json_put_c(w, "model", "judge-respect-en");
    judge_json_key_array(w, "results");

    for (i = 0; i < m->count; i++) {
        judge_openai_moderation_write(w, m->scores[i]);
    }

    judge_json_array_end(w);
    judge_reply_end(r);
}


static void
judge_openai_moderate(judge_req_t *r)
{
    size_t  max = r->service->settings.max_text;

    if (!judge_openai_moderation_texts(r->ctx, max)) {
        judge_fail(r, 400, "input: expected a text or an array of 1 to %d, of"
                           " at most %zu bytes each; images are not judged",
                   JUDGE_OPENAI_INPUTS, max);
        return;
    }

    judge_compute(r, judge_openai_moderation_score, judge_openai_moderated);
}
