/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Requests, and the jobs that follow from them, in which one allocation fails:
 * the first, the second, and so on until none is left that could; after the
 * first T_EACH of them, to be done in time, every fifteenth part further on,
 * or each of them where JUDGE_TEST_EVERY is set, as in util/test --nightly.
 *
 * What is answered with success is stored, whole, and so is what follows from
 * it; of what is answered with 500 or 503 nothing is, unless it says so.
 */


#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "base/crypto/signature.h"
#include "analysis/builtin/conversation.h"
#include "analysis/builtin/engine.h"
#include "extensions/conversations/conversations.h"
#include "feedback.h"
#include "memory_rows.h"
#include "webhooks.h"


#define T_EACH    40
#define T_SETTLE  200                  /* ticks, at most */
#define T_WARM    3
#define T_TABLES  64
#define T_LESSONS 12

#define VERDICT                                                               \
    "{\"model\":\"served\",\"choices\":[{\"index\":0,\"finish_reason\":"      \
    "\"stop\",\"message\":{\"role\":\"assistant\",\"content\":\""             \
    "{\\\"criteria\\\":{\\\"c1\\\":{\\\"score\\\":60,\\\"feedback\\\":"       \
    "\\\"Why.\\\",\\\"evidence\\\":[]},\\\"c2\\\":{\\\"score\\\":90,"         \
    "\\\"feedback\\\":\\\"Why.\\\",\\\"evidence\\\":[]}},\\\"strengths\\\":"  \
    "[],\\\"weaknesses\\\":[],\\\"suggestions\\\":[],\\\"summary\\\":"        \
    "\\\"It is.\\\"}\"}}],\"usage\":{\"prompt_tokens\":300,"                  \
    "\"completion_tokens\":100,\"total_tokens\":400}}"

typedef struct {
    t_api_t     *api;
    sqlite3     *db;                   /* another connection */
    const char  *vars[128];
    const char  *rows;                 /* SQL: how many there are in all */
    const char  *tables[T_TABLES];     /* SQL: what is in each */
    int          ntables;
} t_world_t;

typedef struct {
    int        status;
    long long  rows;                   /* more than before */
    bool       kept;                   /* nothing was stored by the answer */
    bool       said;                   /* it says that something is */
    bool       ended;                  /* what followed has come to an end */
} t_outcome_t;


static judge_llm_t    models[] = {
    { .name = judge_str("m"), .served = judge_str("m-1"), .timeout = 60000,
      .at_once = 4 }
};

/* --- The world ----------------------------------------------------------- */


static const char *
fill(t_world_t *w, const char *s)
{
    judge_buf_t  buf;

    judge_buf_init(&buf, w->api->arena);

    for ( /* void */ ; *s; s++) {
        if (*s == '$') {
            s++;
            judge_buf_c(&buf, w->vars[*s & 127] ? w->vars[*s & 127] : "?");
        } else {
            judge_buf_append(&buf, s, 1);
        }
    }

    judge_buf_append(&buf, "", 1);

    return judge_buf_view(&buf).data;
}


static t_call_t *
send(t_world_t *w, const t_step_t *step)
{
    const char   *body;
    judge_str_t   seal;

    body = step->body ? fill(w, step->body) : NULL;

    if (step->type) {
        t_header(w->api, JUDGE_HEADER_CONTENT_TYPE, step->type);
    }

    if (step->sealed) {
        seal = judge_signature_hex(w->api->arena, JUDGE_STR("whsec_x"),
                                   judge_str_c(body));
        t_header(w->api, JUDGE_HEADER_X_WEBHOOK_SIGNATURE, seal.data);
        w->api->no_key = true;
    }

    return t_send(w->api, step->method, fill(w, step->path), body);
}


static long long
number(t_world_t *w, const char *sql)
{
    long long      n;
    sqlite3_stmt  *st;

    n = -1;
    st = NULL;

    if (sqlite3_prepare_v2(w->db, sql, -1, &st, NULL) == SQLITE_OK
        && sqlite3_step(st) == SQLITE_ROW)
    {
        n = sqlite3_column_int64(st, 0);
    }

    (void) sqlite3_finalize(st);

    return n;
}


/* Of all that is stored, in whatever order. */

static uint64_t
digest(t_world_t *w)
{
    int            i, j, n, len;
    uint64_t       sum, row;
    const char    *data;
    sqlite3_stmt  *st;

    sum = 0;

    for (n = 0; n < w->ntables; n++) {
        if (sqlite3_prepare_v2(w->db, w->tables[n], -1, &st, NULL)
            != SQLITE_OK)
        {
            return 0;
        }

        while (sqlite3_step(st) == SQLITE_ROW) {
            for (row = n + 1, i = 0; i < sqlite3_column_count(st); i++) {
                data = sqlite3_column_blob(st, i);
                len = sqlite3_column_bytes(st, i);
                for (row = row * 31 + len, j = 0; j < len; j++) {
                    row = row * 31 + (unsigned char) data[j];
                }
            }
            sum += row * row;
        }

        (void) sqlite3_finalize(st);
    }

    return sum;
}


static void
open_beside(t_world_t *w)
{
    char           path[128];
    const char    *name;
    judge_buf_t    buf;
    sqlite3_stmt  *st;

    (void) snprintf(path, sizeof(path), "%s/judge.db", w->api->directory);

    if (sqlite3_open(path, &w->db) != SQLITE_OK
        || sqlite3_prepare_v2(w->db, "SELECT name FROM sqlite_schema WHERE"
                              " type = 'table' AND name NOT LIKE 'sqlite%'"
                              " AND name NOT IN ('training_logs',"
                              " 'score_hours', 'drifts',"
                              " 'training_epochs')",
                              -1, &st, NULL)
           != SQLITE_OK)
    {
        printf("Bail out! cannot read the store\n");
        exit(1);
    }

    judge_buf_init(&buf, w->api->arena);
    judge_buf_c(&buf, "SELECT 0");

    while (sqlite3_step(st) == SQLITE_ROW && w->ntables < T_TABLES) {
        name = (const char *) sqlite3_column_text(st, 0);
        judge_buf_printf(&buf, " + (SELECT count(*) FROM %s)", name);
        w->tables[w->ntables++] = t_format(w->api, "SELECT * FROM %s", name);
    }

    judge_buf_append(&buf, "", 1);
    w->rows = judge_buf_view(&buf).data;
    (void) sqlite3_finalize(st);
}


/* Answers what went out; the callers' work counts. */

static void
drain(t_world_t *w)
{
    bool           counts;
    judge_call_t  *call;

    while ((call = t_outgoing(w->api))) {
        call->outcome = JUDGE_CALL_OK;
        call->status = 200;
        call->took = 10;
        call->answer = judge_str_c(judge_str_eq_c(call->route, "m")
                                   ? VERDICT : "");
        counts = t_memory_count(true);
        call->done(call);
        (void) t_memory_count(counts);
    }
}


static bool
settle(t_world_t *w)
{
    size_t  i;

    for (i = 0; i < T_SETTLE; i++) {
        t_tick(w->api, i < 4 ? 50 : 31000);
        t_run(w->api);
        drain(w);

        if (number(w, "SELECT (SELECT count(*) FROM evaluations"
                   " WHERE queue_at < deadline)"
                   " + (SELECT count(*) FROM deliveries"
                   " WHERE queue_at IS NOT NULL)"
                   " + (SELECT count(*) FROM feedback"
                   " WHERE queue_at IS NOT NULL)"
                   " + (SELECT count(*) FROM training_jobs"
                   " WHERE queue_at IS NOT NULL)"
                   " + (SELECT count(*) FROM unfinished)"
                   " + (SELECT count(*) FROM contents WHERE status IN"
                   " ('uploaded', 'processing'))") == 0)
        {
            return true;
        }
    }

    return false;
}


static void
learn(t_world_t *w)
{
    size_t      i;
    t_api_t    *api;
    t_call_t   *c;
    const char *id;

    api = w->api;

    for (i = 0; i < T_LESSONS; i++) {
        id = t_evaluation(api, w->vars['j'], t_content(api,
                          i % 2 ? "Short. Clear. It is so." : "It is a long"
                          " sentence, because of what one says in it, and"
                          " what else there is to be said of it."));
        c = t_say(api, id, t_format(api, "{\"type\":\"correction\","
                      "\"content\":{\"corrected_scores\":{\"%s\":%zu,"
                      "\"%s\":%zu}}}", w->vars['1'], 30 + i, w->vars['2'],
                      40 + 2 * i));
        t_leave(c);
    }
}


static void
begin(t_world_t *w)
{
    t_api_t   *api;
    t_eval_t   e;
    t_call_t  *c;

    memset(w, 0, sizeof(*w));
    api = t_api_create();
    api->answers = true;
    api->service.settings.models = models;
    api->service.settings.nmodels = 1;
    api->service.settings.upload_valid = INT64_C(86400000) * 365;
    w->api = api;

    e = t_feedback_on(api);
    w->vars['j'] = e.judge;
    w->vars['c'] = e.content;
    w->vars['e'] = e.id;
    w->vars['1'] = e.grammar;
    w->vars['2'] = e.spelling;
    w->vars['v'] = t_judge(api, "video");
    c = t_sendf(api, "GET", NULL, "/judges/%s", w->vars['v']);
    w->vars['3'] = t_text(c, "criteria[0].criterion_id");
    w->vars['4'] = t_text(c, "criteria[1].criterion_id");
    learn(w);

    (void) t_hooks(api, "{\"url\":\"https://hooks.example/a\"}");
    open_beside(w);
    (void) settle(w);
}


static void
end(t_world_t *w)
{
    (void) sqlite3_close(w->db);
    t_api_destroy(w->api);
}


/* --- One allocation after another ---------------------------------------- */


static bool
answered(t_world_t *w, t_call_t *c)
{
    size_t  i;

    for (i = 0; i < T_SETTLE; i++) {
        if (c->status && (c->ended || !c->pieces.arena)) {
            return true;
        }
        drain(w);
        t_tick(w->api, i < T_SETTLE / 2 ? 50 : 31000);
        t_run(w->api);
    }

    return false;
}


/* What a row needs: ended, or going on. */

static void
prepare(t_world_t *w, const t_row_t *row)
{
    char                var;
    t_call_t           *c;
    const t_before_t   *b;

    w->api->now += row->pass;

    for (b = row->before; b < row->before + T_BEFORE && b->var; b++) {
        c = send(w, &b->step);
        var = b->var;
        w->vars[(int) var] = t_text(c, b->field);
        if (strncmp(w->vars[(int) var], "http://127.0.0.1", 16) == 0) {
            w->vars[(int) var] += 16;
        }
        t_leave(c);
        if (!row->live) {
            (void) settle(w);
        }
    }
}


/* The n-th fails; 0: none does. */

static bool
once(t_world_t *w, const t_row_t *row, unsigned n, t_outcome_t *o)
{
    bool        struck;
    t_call_t   *c;
    uint64_t    stored;
    long long   before;

    prepare(w, row);
    before = number(w, w->rows);
    stored = digest(w);

    t_memory_arm(n);
    c = send(w, &row->step);
    o->kept = digest(w) == stored;
    o->ended = answered(w, c);
    o->status = c->cut ? 500 : c->status;
    o->said = judge_str_starts(c->body,
        JUDGE_STR("{\"detail\":\"the change is stored"));
    t_tick(w->api, 50);
    drain(w);
    struck = t_memory_disarm();
    t_leave(c);

    o->ended = settle(w) && o->ended;
    o->rows = number(w, w->rows) - before;

    return struck;
}


/*
 * A late answer is written when its change is stored already; one that can't
 * be made says so.  How many events a training sends depends on how often it
 * is taken up.
 */

static bool
is_right(const t_row_t *row, unsigned n, const t_outcome_t *o,
    const t_outcome_t *want)
{
    bool       refused;
    long long  none;

    none = row->beside ? want->rows : 0;
    refused = (o->status == 500 || o->status == 503) && !o->said;

    if (o->ended
        && (refused ? o->kept && o->rows == none
            : (o->status == want->status || o->said)
              && (row->late ? (o->rows > 0) == (want->rows > 0)
                            : o->rows == want->rows)))
    {
        return true;
    }

    printf("# %s, allocation %u: %d%s%s, %lld rows, not %lld\n", row->name,
           n, o->status, o->kept ? "" : ", stored",
           o->ended ? "" : ", without an end", o->rows,
           refused ? none : want->rows);

    return false;
}


static void
test_row(const t_row_t *row)
{
    bool         ok;
    unsigned     n, each, refused;
    t_world_t    w;
    t_outcome_t  want, o;

    each = getenv("JUDGE_TEST_EVERY") ? UINT_MAX : T_EACH;
    begin(&w);
    t_fault_arm(T_FAULT_SYNC, SQLITE_OK, 1, true);    /* none is done */
    ok = true;
    refused = 0;

    for (n = 0; n < T_WARM; n++) {     /* nothing that only the first does */
        (void) once(&w, row, 0, &want);
    }

    t_ok(want.status >= 200 && want.status < 300 && want.ended,
         "%s: it ends well without a fault: %d, %lld rows", row->name,
         want.status, want.rows);

    for (n = 1; once(&w, row, n, &o); n += n < each ? 1 : n / 15) {
        ok = is_right(row, n, &o, &want) && ok;
        refused += o.status >= 500;
    }

    t_ok(ok && is_right(row, 0, &o, &want),
         "%s: of the first %u allocations any may fail", row->name, n - 1);
    t_ok(refused > 0, "%s: %u were refused", row->name, refused);
    end(&w);
}


/* --- What is not told by a status ---------------------------------------- */

/* A result of a tool that is an error: it is read as one, or not at all. */

static bool
reads(judge_arena_t *arena)
{
    judge_rc_e            rc;
    judge_str_t           error;
    judge_json_t         *messages;
    judge_conversation_t  c;

    if (judge_json_parse(arena, JUDGE_STR("[{\"role\":\"assistant\","
            "\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\","
            "\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":"
            "\"a\",\"content\":\"{\\\"error\\\":\\\"lost\\\"}\"},"
            "{\"role\":\"assistant\",\"content\":\"It was lost.\"}]"),
            &messages, NULL) != JUDGE_OK)
    {
        return true;
    }

    rc = judge_messages_read(arena, messages, JUDGE_STR("messages"), &c,
                             &error);

    return rc == JUDGE_NOMEM || (rc == JUDGE_OK && c.calls[0].failed);
}


/* A text in another language than its request: the verdict says so. */

static bool
tells(judge_arena_t *arena)
{
    judge_rc_e       rc;
    judge_item_t     item = { .text = JUDGE_STR("Der Zug nach Hamburg fährt"
        " heute um acht Uhr vom dritten Gleis ab, und er hält unterwegs nur in"
        " Hannover, weil die anderen Bahnhöfe gesperrt sind.") };
    judge_scorer_t  *scorer;
    judge_rubric_t   rubric = { .ncriteria = 0 };
    judge_verdict_t  verdict;

    item.question = JUDGE_STR("When does the train to Hamburg leave today, and"
                              " where does it stop on the way there?");
    scorer = judge_scorer_create(arena, &rubric);
    rc = scorer ? judge_score(scorer, &item, arena, &verdict) : JUDGE_NOMEM;

    return rc == JUDGE_NOMEM
           || (rc == JUDGE_OK && verdict.nflags == 1
               && strcmp(verdict.flags[0].name, "other_language") == 0);
}


static void
test_outcome(bool (*right)(judge_arena_t *arena), const char *name)
{
    bool            ok, struck;
    unsigned        n;
    judge_arena_t  *arena;

    for (ok = true, struck = true, n = 0; struck && ok; n++) {
        arena = judge_arena_create(4096);
        (void) t_memory_count(true);
        t_memory_arm(n);
        ok = arena && right(arena);
        struck = t_memory_disarm() || n == 0;
        (void) t_memory_count(false);
        judge_arena_destroy(arena);
    }

    t_ok(ok, "%s: any of %u allocations may fail", name, n - 1);
}


/* How often the model was asked; it gives no answer. */

static unsigned
refuse(t_world_t *w)
{
    unsigned       n;
    judge_call_t  *call;

    for (n = 0; (call = t_outgoing(w->api)); /* void */) {
        n += judge_str_eq_c(call->route, "m");
        call->outcome = JUDGE_CALL_OK;
        call->status = 200;
        call->answer = JUDGE_STR("");
        call->done(call);
    }

    return n;
}


/* An answer is used that was stored, whichever allocation fails. */

static void
test_answer_again(void)
{
    bool       struck;
    unsigned   i, n, each, asked;
    t_world_t  w;

    static const t_step_t  judge = { "POST", "/judges",
        "{\"name\":\"J\",\"content_type\":\"text\",\"description\":\"D\","
        "\"criteria\":[{\"name\":\"Wit\",\"description\":\"It makes the"
        " reader smile\",\"judge_by\":\"model\"},{\"name\":\"Warmth\","
        "\"description\":\"It is kind\",\"judge_by\":\"model\"}]}",
        NULL, false };
    static const t_step_t  again = { "POST", "/evaluations/single",
        "{\"judge_id\":\"$j\",\"content_id\":\"$c\",\"model\":\"m\"}",
        NULL, false };

    begin(&w);
    w.vars['j'] = t_text(send(&w, &judge), "id");
    t_leave(send(&w, &again));
    (void) settle(&w);

    each = getenv("JUDGE_TEST_EVERY") ? UINT_MAX : T_EACH;

    for (struck = true, asked = 0, n = 0; struck; n += n < each ? 1 : n / 15) {
        t_memory_arm(n);
        t_leave(send(&w, &again));

        for (i = 0; i < 4; i++) {
            t_tick(w.api, 50);
            t_run(w.api);
            asked += refuse(&w);
        }

        struck = t_memory_disarm() || n == 0;
        (void) settle(&w);
    }

    t_is_int(asked, 0, "an answer that is stored: no model is asked again, "
             "whichever of the first %u allocations fails", n - 1);
    end(&w);
}


int
main(int argc, char **argv)
{
    size_t  i;

    t_fault_install();

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (argc < 2 || strstr(rows[i].name, argv[1])) {
            test_row(&rows[i]);
        }
    }

    if (argc < 2 || strcmp(argv[1], "outcome") == 0) {
        test_outcome(reads, "the result of a tool");
        test_outcome(tells, "the language of a text");
        test_answer_again();
    }

    return t_done();
}
