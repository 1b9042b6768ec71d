/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Writes log records in OTLP's JSON: identifiers as hex, 64-bit integers as
 * strings, enumerations as numbers.  The names of attributes begin with
 * "gen_ai." or "error." where OpenTelemetry's semantic conventions have the
 * attribute, else with "judge.".
 */


#include <math.h>

#include "api/judges/criteria.h"
#include "base/core/version.h"
#include "base/net/traceparent.h"
#include "extensions/otel/otel.h"


#define JUDGE_OTEL_FULL      1000000   /* bytes after which no further
                                          evaluation is added */
#define JUDGE_OTEL_RESPONSE_ID  256    /* bytes of a response's identifier; a
                                          longer one is left out */
#define JUDGE_OTEL_EVENT     "gen_ai.evaluation.result"
#define JUDGE_OTEL_INFO      9         /* OTLP's SeverityNumber */
#define JUDGE_OTEL_ERROR     17

/* An evaluation whose JSON has been parsed. */
typedef struct {
    judge_json_writer_t       *w;
    judge_otel_body_t         *body;
    const judge_export_row_t  *row;
    const judge_json_t        *record;
    judge_str_t                response_id;      /* may be absent */
    judge_traceparent_t        trace;
    bool                       traced;           /* `trace` is set */
    judge_list_t               criteria;         /* of judge_criterion_row_t */
    double                     threshold;        /* of the overall score; NAN:
                                          the judge has none */
} judge_otel_evaluation_t;


/* --- Attributes ---------------------------------------------------------- */

static void
judge_otel_attribute(judge_json_writer_t *w, const char *key)
{
    judge_json_object(w);
    judge_json_put_c(w, "key", key);
    judge_json_key_object(w, "value");
}


static void
judge_otel_attribute_end(judge_json_writer_t *w)
{
    judge_json_object_end(w);
    judge_json_object_end(w);
}


static void
judge_otel_put_str(judge_json_writer_t *w, const char *key, judge_str_t value)
{
    if (value.data) {
        judge_otel_attribute(w, key);
        judge_json_put_str(w, "stringValue", value);
        judge_otel_attribute_end(w);
    }
}


static void
judge_otel_put_number(judge_json_writer_t *w, const char *key, double value)
{
    judge_otel_attribute(w, key);
    judge_json_put_number(w, "doubleValue", value);
    judge_otel_attribute_end(w);
}


/* Copies a member of the object if it is a string or a number. */

static void
judge_otel_put_member(judge_json_writer_t *w, const char *key,
    const judge_json_t *object, const char *member)
{
    double  value;

    judge_otel_put_str(w, key, judge_json_string(object, member));
    if (judge_json_read_number(object, member, &value)) {
        judge_otel_put_number(w, key, value);
    }
}


static void
judge_otel_put_int(judge_json_writer_t *w, const char *key,
    const judge_json_t *v)
{
    if (v && v->type == JUDGE_JSON_INTEGER) {
        judge_otel_attribute(w, key);
        judge_json_put_str(w, "intValue",
                           judge_str_printf(w->buf->arena, "%lld",
                                            (long long) v->integer));
        judge_otel_attribute_end(w);
    }
}


/* --- Records ------------------------------------------------------------- */

/* Writes a time as OTLP does: in nanoseconds, as a string. */

static void
judge_otel_put_time(judge_json_writer_t *w, const char *key, judge_ms_t t)
{
    judge_json_put_str(w, key, judge_str_printf(w->buf->arena, "%lld000000",
                                                (long long) t));
}


static void
judge_otel_begin(judge_otel_evaluation_t *e, judge_str_t name, int severity)
{
    judge_ms_t            ended_at;
    judge_json_writer_t  *w = e->w;

    if (judge_time_parse(judge_json_string(e->record, "evaluated_at"),
                         &ended_at)
        != JUDGE_OK)
    {
        ended_at = e->row->noted_at;
    }

    e->body->records++;
    judge_json_object(w);
    judge_otel_put_time(w, "timeUnixNano", ended_at);
    judge_otel_put_time(w, "observedTimeUnixNano", e->body->now);
    judge_json_put_int(w, "severityNumber", severity);
    judge_json_put_c(w, "severityText", severity == JUDGE_OTEL_INFO ? "INFO"
                                                                    : "ERROR");
    judge_json_put_c(w, "eventName", JUDGE_OTEL_EVENT);

    if (e->traced) {
        judge_json_put_str(w, "traceId", e->trace.trace_id);
        judge_json_put_str(w, "spanId", e->trace.span_id);
        judge_json_put_int(w, "flags", e->trace.flags);
    }

    judge_json_key_array(w, "attributes");
    judge_otel_put_str(w, "gen_ai.evaluation.name", name);
    judge_otel_put_str(w, "gen_ai.response.id", e->response_id);
    judge_otel_put_str(w, "judge.organization.id", e->row->org);
    judge_otel_put_str(w, "judge.evaluation.id", e->row->id);
    judge_otel_put_member(w, "judge.content.id", e->record, "content_id");
    judge_otel_put_member(w, "judge.batch.id", e->record, "batch_id");
    judge_otel_put_member(w, "judge.evaluator.id", e->record, "judge_id");
    judge_otel_put_str(w, "judge.evaluator.name", e->row->judge_name);
    judge_otel_put_int(w, "judge.evaluator.version",
                       judge_json_get(judge_json_get(e->record, "provenance"),
                                      "judge_version"));
    judge_otel_put_member(w, "judge.engine", e->record, "engine");
}


static void
judge_otel_end(judge_otel_evaluation_t *e)
{
    judge_json_array_end(e->w);
    judge_json_object_end(e->w);
}


/* Writes the attributes of a score, which passes from the threshold on; NAN:
 * there is none. */

static void
judge_otel_score(judge_json_writer_t *w, double score, double threshold,
    judge_str_t why, const judge_json_t *interval)
{
    judge_otel_put_number(w, "gen_ai.evaluation.score.value", score);
    if (!isnan(threshold)) {
        judge_otel_put_str(w, "gen_ai.evaluation.score.label",
                           score >= threshold ? JUDGE_STR("pass")
                                              : JUDGE_STR("fail"));
        judge_otel_put_number(w, "judge.score.threshold", threshold);
    }
    judge_otel_put_str(w, "gen_ai.evaluation.explanation", why);
    judge_otel_put_number(w, "judge.score.range.min", 0);
    judge_otel_put_number(w, "judge.score.range.max", 100);
    judge_otel_put_member(w, "judge.score.interval.low", interval, "low");
    judge_otel_put_member(w, "judge.score.interval.high", interval, "high");
    judge_otel_put_member(w, "judge.score.interval.level", interval, "level");
    judge_otel_put_member(w, "judge.score.interval.basis", interval, "basis");
    judge_otel_put_int(w, "judge.score.interval.n",
                       judge_json_get(interval, "n"));
}


/* Returns the lowest score of a criterion that is fair; NAN: it has no
 * thresholds. */

static double
judge_otel_threshold(const judge_otel_evaluation_t *e, judge_str_t id)
{
    size_t                        i;
    const judge_criterion_row_t  *rows = e->criteria.items;

    for (i = 0; id.data && i < e->criteria.count; i++) {
        if (judge_str_eq(rows[i].id, id)) {
            return rows[i].has_thresholds ? rows[i].thresholds.fair.value
                                          : (double) NAN;
        }
    }

    return NAN;
}


static void
judge_otel_criterion(judge_otel_evaluation_t *e, const judge_json_t *c)
{
    double       score;
    judge_str_t  id;

    id = judge_json_string(c, "criterion_id");
    judge_otel_begin(e, judge_json_string(c, "name"), JUDGE_OTEL_INFO);
    judge_otel_put_str(e->w, "judge.criterion.id", id);

    if (judge_json_read_number(c, "score", &score)) {
        judge_otel_put_member(e->w, "judge.method", c, "judged_by");
        judge_otel_score(e->w, score, judge_otel_threshold(e, id),
                         judge_json_string(c, "feedback"),
                         judge_json_get(c, "interval"));
    } else {
        judge_otel_put_member(e->w, "judge.not_judged.reason", c, "reason");
    }

    judge_otel_end(e);
}


static void
judge_otel_overall(judge_otel_evaluation_t *e)
{
    double               score;
    const judge_json_t  *error;

    error = judge_json_get(e->record, "error");
    judge_otel_begin(e, e->row->judge_name, error ? JUDGE_OTEL_ERROR
                                                  : JUDGE_OTEL_INFO);
    judge_otel_put_member(e->w, "error.type", error, "code");
    judge_otel_put_member(e->w, "judge.error.message", error, "message");

    if (judge_json_read_number(e->record, "overall_score", &score)) {
        judge_otel_score(e->w, score, e->threshold,
                         judge_json_string(e->record, "summary"),
                         judge_json_get(e->record, "interval"));
    }

    judge_otel_end(e);
}


/* --- Evaluations --------------------------------------------------------- */

/* Looks in the content's metadata for the identifier of the judged response
 * and for its trace context, which is preferred to that of the request. */

static void
judge_otel_response(judge_otel_evaluation_t *e, const judge_json_t *metadata)
{
    judge_str_t  id;

    id = judge_json_string(metadata, "gen_ai.response.id");
    id = id.data ? id : judge_json_string(metadata, "response_id");
    if (id.len && id.len <= JUDGE_OTEL_RESPONSE_ID) {
        e->response_id = id;
    }

    e->traced = judge_traceparent_read(judge_json_string(metadata,
                                                         "traceparent"),
                                       &e->trace) == JUDGE_OK
                || judge_traceparent_read(e->row->trace, &e->trace)
                   == JUDGE_OK;
}


/* Parses a text of the store; *root is NULL if it is absent or invalid. */

static judge_rc_e
judge_otel_parse(judge_arena_t *arena, judge_str_t text, judge_json_t **root)
{
    judge_rc_e  rc;

    *root = NULL;
    rc = text.data ? judge_json_parse(arena, text, root, NULL) : JUDGE_OK;

    return rc == JUDGE_NOMEM ? rc : JUDGE_OK;
}


static judge_rc_e
judge_otel_evaluation(judge_arena_t *arena, judge_json_writer_t *w,
    judge_otel_body_t *body, const judge_export_row_t *row)
{
    judge_json_t             *record, *metadata, *review, *c;
    judge_otel_evaluation_t   e = { .w = w, .body = body, .row = row };

    if (judge_otel_parse(arena, row->body, &record) != JUDGE_OK
        || judge_otel_parse(arena, row->metadata, &metadata) != JUDGE_OK
        || judge_otel_parse(arena, row->review, &review) != JUDGE_OK
        || judge_criteria_read(arena, row->criteria, &e.criteria)
           == JUDGE_NOMEM)
    {
        return JUDGE_NOMEM;
    }

    if (record == NULL) {
        return JUDGE_OK;
    }

    e.record = record;
    c = judge_json_get(review, "near_threshold");
    e.threshold = c ? judge_json_double(c) : (double) NAN;
    judge_otel_response(&e, metadata);

    judge_otel_overall(&e);

    c = judge_json_get(record, "criteria_scores");
    for (c = c ? c->first : NULL; c; c = c->next) {
        judge_otel_criterion(&e, c);
    }

    c = judge_json_get(record, "not_judged");
    for (c = c ? c->first : NULL; c; c = c->next) {
        judge_otel_criterion(&e, c);
    }

    return JUDGE_OK;
}


static void
judge_otel_head(judge_json_writer_t *w, judge_str_t service)
{
    judge_json_key_array(w, "resourceLogs");
    judge_json_object(w);
    judge_json_key_object(w, "resource");
    judge_json_key_array(w, "attributes");
    judge_otel_put_str(w, "service.name", JUDGE_STR("judge"));
    judge_otel_put_str(w, "service.version", JUDGE_STR(JUDGE_VERSION));
    judge_otel_put_str(w, "judge.service", service);
    judge_json_array_end(w);
    judge_json_object_end(w);
    judge_json_key_array(w, "scopeLogs");
    judge_json_object(w);
    judge_json_key_object(w, "scope");
    judge_json_put_c(w, "name", "judge");
    judge_json_put_c(w, "version", JUDGE_VERSION);
    judge_json_object_end(w);
    judge_json_key_array(w, "logRecords");
}


judge_rc_e
judge_otel_write(judge_arena_t *arena, judge_otel_body_t *body)
{
    size_t               i;
    judge_rc_e           rc;
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, arena);
    judge_otel_head(&w, body->service);

    for (i = 0, rc = JUDGE_OK; i < body->count && rc == JUDGE_OK; i++) {
        if (buf.len >= JUDGE_OTEL_FULL) {
            body->rows[i].repeat = 1;
        } else if (body->rows[i].found) {
            rc = judge_otel_evaluation(arena, &w, body, &body->rows[i]);
        }
    }

    judge_json_array_end(&w);
    judge_json_object_end(&w);
    judge_json_array_end(&w);
    judge_json_object_end(&w);
    judge_json_array_end(&w);
    body->body = judge_json_text(&w);

    return rc == JUDGE_OK && body->body.data ? JUDGE_OK : JUDGE_NOMEM;
}
