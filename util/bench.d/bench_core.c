/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What util/bench compares the service with, without nginx:
 *
 *   build/bench_core store DIR GROUP SECONDS   inserts of evaluations per
 *                                              second, GROUP in a commit
 *   build/bench_core rows FILE DIR GROUP       evaluations per second, when a
 *                                              loop inserts those of a store
 *                                              with their texts and results
 *   build/bench_core score SECONDS FILE…       MB of text and evaluations per
 *                                              second, in one thread
 *   build/bench_core learn ITEMS EPOCHS FILE…  how long learning takes from as
 *                                              many stretches of the files,
 *                                              with scores that depend on what
 *                                              was measured of them: seconds,
 *                                              megabytes of the process,
 *                                              microseconds that scoring a
 *                                              text takes, and with the model
 *
 * Each prints numbers only, one line.
 */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <time.h>

#include "analysis/builtin/engine.h"
#include "analysis/learning/learn.h"
#include "analysis/learning/predictor.h"
#include "store/store_open.h"
#include "store/store_org.h"


#define BENCH_GROUP_MAX  4096
#define BENCH_TEXT_MAX   (1 << 20)
#define BENCH_CRITERIA   6
#define BENCH_TIMED      5000
#define BENCH_TEXT       400           /* bytes, about */
#define BENCH_ROUNDS     5
#define BENCH_TOGETHER   10            /* results in a row, about */


static judge_id_t  bench_org, bench_judge, bench_content;


static double
bench_seconds(clockid_t clock)
{
    struct timespec  ts;

    (void) clock_gettime(clock, &ts);

    return (double) ts.tv_sec + (double) ts.tv_nsec / 1e9;
}


static void
bench_die(const char *what)
{
    (void) fprintf(stderr, "bench_core: %s\n", what);
    exit(1);
}


static void
bench_done(judge_op_t *op)
{
    (void) op;
}


/* --- Store --------------------------------------------------------------- */

/* An organization with a judge and a content, as PAIR_FIND wants them. */

static void
bench_prepare(judge_runner_t *db, judge_arena_t *arena)
{
    judge_ms_t              now;
    judge_org_create_t      org;
    judge_judge_create_t    judge;
    judge_content_create_t  content;

    now = judge_time_now();
    if (judge_id_make(&bench_org, "org", now) != JUDGE_OK
        || judge_id_make(&bench_judge, "jdg", now) != JUDGE_OK
        || judge_id_make(&bench_content, "cnt", now) != JUDGE_OK)
    {
        bench_die("no random numbers");
    }

    memset(&org, 0, sizeof(org));
    org.op = (judge_op_t) { .kind = JUDGE_OP_ORG_CREATE, .arena = arena,
                            .done = bench_done };
    org.row = (judge_org_row_t) { judge_id_str(&bench_org),
                                  JUDGE_STR("bench"), JUDGE_STR("whsec_x"),
                                  now };
    judge_runner_submit(db, &org.op);

    memset(&judge, 0, sizeof(judge));
    judge.op = (judge_op_t) { .kind = JUDGE_OP_JUDGE_CREATE, .arena = arena,
                              .org = judge_id_str(&bench_org),
                              .done = bench_done };
    judge.row = (judge_judge_row_t) {
        .id = judge_id_str(&bench_judge), .content_type = JUDGE_STR("text"),
        .status = JUDGE_STR("ready"), .active = 1, .latest = 1,
        .created_at = now, .updated_at = now, .version = 1,
        .version_created_at = now, .criteria_count = 1,
        .name = JUDGE_STR("bench"), .changes_summary = JUDGE_STR("first"),
        .description = JUDGE_STR(""), .criteria = JUDGE_STR("[]") };
    judge_runner_submit(db, &judge.op);

    memset(&content, 0, sizeof(content));
    content.op = (judge_op_t) { .kind = JUDGE_OP_CONTENT_CREATE,
                                .arena = arena, .done = bench_done,
                                .org = judge_id_str(&bench_org) };
    content.row = (judge_content_row_t) {
        .id = judge_id_str(&bench_content), .file_type = JUDGE_STR("text"),
        .status = JUDGE_STR("ready"), .size = 5, .created_at = now,
        .name = JUDGE_STR("bench"), .text_content = JUDGE_STR("bench") };
    judge_runner_submit(db, &content.op);

    if (org.op.rc != JUDGE_OK || judge.op.rc != JUDGE_OK
        || content.op.rc != JUDGE_OK)
    {
        bench_die(judge_runner_message(db));
    }
}


static void
bench_fill(judge_evaluation_create_t *ops, judge_id_t *ids, size_t n,
    judge_arena_t *arena)
{
    size_t      i;
    judge_ms_t  now;

    now = judge_time_now();

    for (i = 0; i < n; i++) {
        if (judge_id_make(&ids[i], "evl", now) != JUDGE_OK) {
            bench_die("no random numbers");
        }

        memset(&ops[i], 0, sizeof(judge_evaluation_create_t));
        ops[i].op = (judge_op_t) { .kind = JUDGE_OP_EVALUATION_CREATE,
                                   .org = judge_id_str(&bench_org),
                                   .arena = arena, .done = bench_done,
                                   .next = i + 1 < n ? &ops[i + 1].op
                                                     : NULL };
        ops[i].row = (judge_evaluation_row_t) {
            .org = judge_id_str(&bench_org), .id = judge_id_str(&ids[i]),
            .status = JUDGE_STR("processing"), .queue_at = now + 60000,
            .priority = JUDGE_PRIORITY_NORMAL,
            .content_id = judge_id_str(&bench_content),
            .judge_id = judge_id_str(&bench_judge), .judge_version = 1,
            .created_at = now, .deadline = now + 3600000 };
    }
}


static void
bench_store(judge_str_t directory, size_t group, double seconds)
{
    size_t                      i, made;
    double                      began, took;
    judge_id_t                 *ids;
    judge_str_t                 error = JUDGE_STR("cannot open the store");
    judge_arena_t              *arena;
    judge_runner_t             *db;
    judge_evaluation_create_t  *ops;

    arena = judge_arena_create(1 << 16);
    ops = calloc(group, sizeof(*ops));
    ids = calloc(group, sizeof(*ids));
    if (arena == NULL || ops == NULL || ids == NULL) {
        bench_die("out of memory");
    }

    if (judge_store_migrate(arena, directory, &error) != JUDGE_OK) {
        bench_die(error.data);
    }

    db = judge_store_open(arena, directory, true, &error);
    if (db == NULL) {
        bench_die(error.data);
    }

    bench_prepare(db, arena);

    made = 0;
    began = bench_seconds(CLOCK_MONOTONIC);

    do {
        bench_fill(ops, ids, group, arena);
        judge_runner_group(db, &ops[0].op);
        if (judge_runner_due(db, judge_runner_log(db))) {
            judge_runner_checkpoint(db, judge_runner_log(db));
        }

        for (i = 0; i < group; i++) {
            if (ops[i].op.rc != JUDGE_OK) {
                bench_die(judge_runner_message(db));
            }
        }

        made += group;
        took = bench_seconds(CLOCK_MONOTONIC) - began;
    } while (took < seconds);

    (void) printf("%.0f\n", (double) made / took);

    judge_runner_close(db);
    judge_arena_destroy(arena);
    free(ops);
    free(ids);
}


/* --- Rows ---------------------------------------------------------------- */

static void
bench_exec(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
        bench_die(sqlite3_errmsg(db));
    }
}


/* Statements that read a table of one store and write it to another. */

static void
bench_table(sqlite3 *dbs[2], const char *table, sqlite3_stmt *rows[2])
{
    int   n;
    char  sql[256];

    (void) snprintf(sql, sizeof(sql), "SELECT * FROM %s", table);
    (void) sqlite3_prepare_v2(dbs[0], sql, -1, &rows[0], NULL);
    n = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES (?", table);
    for (int i = 1; i < sqlite3_column_count(rows[0]); i++) {
        n += snprintf(sql + n, sizeof(sql) - (size_t) n, ",?");
    }
    (void) snprintf(sql + n, sizeof(sql) - (size_t) n, ")");
    (void) sqlite3_prepare_v2(dbs[1], sql, -1, &rows[1], NULL);
}


/* Copies up to n rows; how many there were.  After the last one the statement
 * is gone, as it would begin again. */

static size_t
bench_copy(sqlite3_stmt *rows[2], size_t n)
{
    size_t  copied;

    for (copied = 0; rows[0] != NULL && copied < n; copied++) {
        if (sqlite3_step(rows[0]) != SQLITE_ROW) {
            (void) sqlite3_finalize(rows[0]);
            rows[0] = NULL;
            break;
        }

        for (int i = 0; i < sqlite3_column_count(rows[0]); i++) {
            (void) sqlite3_bind_value(rows[1], i + 1,
                                      sqlite3_column_value(rows[0], i));
        }

        if (sqlite3_step(rows[1]) != SQLITE_DONE) {
            bench_die(sqlite3_errmsg(sqlite3_db_handle(rows[1])));
        }
        (void) sqlite3_reset(rows[1]);
    }

    return copied;
}


/* As a batch does: texts and evaluations in one transaction, then as large a
 * part of the results, which are several in a row, in another. */

static void
bench_rows(const char *from, judge_str_t to, size_t group)
{
    char            file[1024];
    size_t          n, all = 0;
    double          began;
    sqlite3        *dbs[2];
    judge_str_t     error = JUDGE_STR("cannot make the store");
    sqlite3_stmt   *rows[3][2] = { { NULL } };
    judge_arena_t  *arena = judge_arena_create(1 << 16);

    (void) snprintf(file, sizeof(file), "%s/judge.db", to.data);
    if (arena == NULL || judge_store_migrate(arena, to, &error) != JUDGE_OK
        || sqlite3_open(from, &dbs[0]) != SQLITE_OK
        || sqlite3_open(file, &dbs[1]) != SQLITE_OK)
    {
        bench_die(error.data);
    }

    bench_exec(dbs[1], "PRAGMA synchronous = FULL; PRAGMA cache_size = -32000;"
                       " DELETE FROM results_together");
    bench_table(dbs, "contents", rows[0]);
    bench_table(dbs, "evaluations", rows[1]);
    bench_table(dbs, "results_together", rows[2]);
    began = bench_seconds(CLOCK_MONOTONIC);

    do {
        bench_exec(dbs[1], "BEGIN IMMEDIATE");
        n = bench_copy(rows[0], group);
        n = bench_copy(rows[1], group);
        bench_exec(dbs[1], "COMMIT; BEGIN IMMEDIATE");
        all += n;
        n += bench_copy(rows[2], group / BENCH_TOGETHER);
        bench_exec(dbs[1], "COMMIT");
    } while (n > 0);

    (void) printf("%.0f\n", (double) all
                            / (bench_seconds(CLOCK_MONOTONIC) - began));
}


/* --- Scoring ------------------------------------------------------------- */

#define bench_criterion(n, d)                                                 \
    { .id = judge_str(n), .name = judge_str(n), .description = judge_str(d),  \
      .weight = 1 }

static judge_criterion_t  bench_criteria[BENCH_CRITERIA] = {
    bench_criterion("Cohesion", "Ideas are linked within and between"
                                " paragraphs."),
    bench_criterion("Syntax", "Sentences are varied and well formed."),
    bench_criterion("Vocabulary", "Words are precise and varied."),
    bench_criterion("Phraseology", "Phrases are natural."),
    bench_criterion("Grammar", "Grammar and usage are correct."),
    bench_criterion("Conventions", "Spelling, capitals and punctuation are"
                                   " correct."),
};


static judge_scorer_t *
bench_scorer(judge_arena_t *arena)
{
    judge_rubric_t  rubric = {
        .name = JUDGE_STR("Essays"),
        .description = JUDGE_STR("How well an essay is written."),
        .criteria = bench_criteria, .ncriteria = BENCH_CRITERIA };

    return judge_scorer_create(arena, &rubric);
}


static judge_str_t
bench_read(const char *path)
{
    char    *text;
    FILE    *f;
    size_t   n;

    f = fopen(path, "rb");
    text = malloc(BENCH_TEXT_MAX);
    if (f == NULL || text == NULL) {
        bench_die("cannot read a text");
    }

    n = fread(text, 1, BENCH_TEXT_MAX, f);
    (void) fclose(f);

    return (judge_str_t) { n, text };
}


static void
bench_score(double seconds, int n, char **paths)
{
    int               i;
    double            began, took, bytes, scored;
    judge_item_t      item;
    judge_str_t      *texts;
    judge_arena_t    *arena, *own;
    judge_scorer_t   *scorer;
    judge_verdict_t   verdict;

    own = judge_arena_create(1 << 16);
    arena = judge_arena_create(1 << 16);
    texts = calloc((size_t) n, sizeof(judge_str_t));
    scorer = own ? bench_scorer(own) : NULL;
    if (arena == NULL || texts == NULL || scorer == NULL) {
        bench_die("out of memory");
    }

    for (i = 0; i < n; i++) {
        texts[i] = bench_read(paths[i]);
    }

    bytes = scored = 0;
    began = bench_seconds(CLOCK_MONOTONIC);

    do {
        for (i = 0; i < n; i++) {
            judge_arena_reset(arena);
            memset(&item, 0, sizeof(item));
            item.text = texts[i];
            if (judge_score(scorer, &item, arena, &verdict) != JUDGE_OK
                || judge_explain(&verdict) != JUDGE_OK)
            {
                bench_die("out of memory");
            }
            bytes += (double) texts[i].len;
            scored++;
        }
        took = bench_seconds(CLOCK_MONOTONIC) - began;
    } while (took < seconds);

    (void) printf("%.2f %.0f\n", bytes / took / 1e6, scored / took);

    for (i = 0; i < n; i++) {
        free((void *) texts[i].data);
    }
    free(texts);
    judge_arena_destroy(arena);
    judge_arena_destroy(own);
}


/* --- Learning ------------------------------------------------------------ */

typedef struct {
    size_t           nitems;
    size_t           nfeatures;
    judge_str_t     *texts;
    float           *features;
    float           *raw;
    float           *target;
    float           *weight;
    uint32_t        *group;
    judge_arena_t   *arena;            /* of one text */
    judge_scorer_t  *scorer;
} bench_t;


/* All files, one behind the other. */

static judge_str_t
bench_read_all(int n, char **paths)
{
    int          i;
    judge_buf_t  all;
    judge_str_t  one;

    judge_buf_init(&all, NULL);

    for (i = 0; i < n; i++) {
        one = bench_read(paths[i]);
        judge_buf_str(&all, one);
        free((void *) one.data);
    }

    one = judge_buf_view(&all);
    if (one.len < 4 * BENCH_TEXT) {
        bench_die("too little text");
    }

    return one;
}


static void
bench_learn_score(bench_t *b, size_t i, judge_verdict_t *verdict)
{
    judge_item_t  item;

    memset(&item, 0, sizeof(item));
    item.text = b->texts[i];
    judge_arena_reset(b->arena);

    if (judge_score(b->scorer, &item, b->arena, verdict) != JUDGE_OK) {
        bench_die("out of memory");
    }
}


/* People's scores: half of the engine's, moved by some of what was measured,
 * and by some noise. */

static void
bench_item(bench_t *b, size_t i)
{
    size_t           c, at;
    float           *f;
    uint32_t         noise;
    judge_verdict_t  verdict;

    bench_learn_score(b, i, &verdict);

    if (i == 0) {
        b->nfeatures = verdict.nfeatures;
        b->features = calloc(b->nitems * b->nfeatures, sizeof(float));
        if (b->features == NULL) {
            bench_die("out of memory");
        }
    }

    f = &b->features[i * b->nfeatures];
    memcpy(f, verdict.features, b->nfeatures * sizeof(float));

    for (c = 0; c < BENCH_CRITERIA; c++) {
        at = i * BENCH_CRITERIA + c;
        noise = (uint32_t) (at * 2654435761u) >> 16;
        b->raw[at] = (float) verdict.scores[c].score;
        b->target[at] = (float) fmin(fmax(
            b->raw[at] / 2 + 10 * tanh((double) f[(c * 7) % b->nfeatures])
            + 20 * (double) noise / 65536, 0), 100);
        b->weight[at] = 1;
    }

    b->group[i] = (uint32_t) ((uint64_t) i * 2654435761u);
}


static void
bench_items(bench_t *b, judge_str_t all)
{
    size_t  i, n;

    n = b->nitems;
    b->texts = calloc(n, sizeof(judge_str_t));
    b->raw = calloc(n * BENCH_CRITERIA, sizeof(float));
    b->target = calloc(n * BENCH_CRITERIA, sizeof(float));
    b->weight = calloc(n * BENCH_CRITERIA, sizeof(float));
    b->group = calloc(n, sizeof(uint32_t));
    if (b->texts == NULL || b->raw == NULL || b->target == NULL
        || b->weight == NULL || b->group == NULL)
    {
        bench_die("out of memory");
    }

    for (i = 0; i < n; i++) {
        b->texts[i].len = BENCH_TEXT / 2 + i * 37 % BENCH_TEXT;
        b->texts[i].data = all.data
                           + i * 7919 % (all.len - 2 * BENCH_TEXT);
        bench_item(b, i);
    }
}


static void
bench_model(bench_t *b, size_t epochs, judge_buf_t *model)
{
    judge_learner_t        *learner;
    judge_learn_set_t       set;
    judge_learn_options_t   options;
    judge_learn_progress_t  progress;

    set = (judge_learn_set_t) {
        .nitems = b->nitems, .nfeatures = b->nfeatures,
        .ntargets = BENCH_CRITERIA, .features = b->features, .raw = b->raw,
        .target = b->target, .weight = b->weight, .texts = b->texts,
        .group = b->group
    };
    options = (judge_learn_options_t) { .epochs = epochs };

    if (judge_learner_create(&set, &options, &learner) != JUDGE_OK) {
        bench_die("can't learn");
    }

    do {
        if (judge_learner_epoch(learner, &progress) != JUDGE_OK) {
            bench_die("out of memory");
        }
    } while (!progress.done);

    if (judge_learner_model(learner, model) != JUDGE_OK) {
        bench_die("out of memory");
    }

    judge_learner_destroy(learner);
}


/* Microseconds a text, with a model and without; the least of some rounds,
 * which take turns. */

static void
bench_apply(bench_t *b, judge_str_t bytes, double us[2])
{
    float              *scratch, out[BENCH_CRITERIA];
    size_t              i, n, round, with;
    double              began, took;
    judge_arena_t      *arena;
    judge_predictor_t  *model;
    judge_verdict_t     verdict;

    arena = judge_arena_create(1 << 16);
    model = arena ? judge_predictor_read(arena, bytes) : NULL;
    scratch = model ? calloc(judge_predictor_scratch(model) + 1, sizeof(float))
                    : NULL;
    if (scratch == NULL) {
        bench_die("can't read the model");
    }

    n = b->nitems < BENCH_TIMED ? b->nitems : BENCH_TIMED;
    us[0] = us[1] = 1e9;

    for (round = 0; round < 2 * BENCH_ROUNDS; round++) {
        with = round % 2;
        began = bench_seconds(CLOCK_THREAD_CPUTIME_ID);

        for (i = 0; i < n; i++) {
            bench_learn_score(b, i, &verdict);
            if (with) {
                judge_predictor_predict(model, verdict.features,
                                        &b->raw[i * BENCH_CRITERIA],
                                        b->texts[i], scratch, out);
            }
        }

        took = (bench_seconds(CLOCK_THREAD_CPUTIME_ID) - began) * 1e6
               / (double) n;
        us[with] = took < us[with] ? took : us[with];
    }

    free(scratch);
    judge_arena_destroy(arena);
}


static void
bench_free(bench_t *b)
{
    judge_arena_destroy(b->arena);
    free(b->texts);
    free(b->features);
    free(b->raw);
    free(b->target);
    free(b->weight);
    free(b->group);
}


static void
bench_learn(size_t nitems, size_t epochs, int n, char **paths)
{
    double          began, learned, us[2];
    bench_t         b;
    judge_buf_t     model;
    judge_str_t     all;
    struct rusage   usage;
    judge_arena_t  *arena;

    memset(&b, 0, sizeof(b));
    arena = judge_arena_create(1 << 16);
    b.nitems = nitems;
    b.arena = judge_arena_create(1 << 16);
    b.scorer = arena ? bench_scorer(arena) : NULL;
    if (b.arena == NULL || b.scorer == NULL) {
        bench_die("out of memory");
    }

    all = bench_read_all(n, paths);
    bench_items(&b, all);
    judge_buf_init(&model, NULL);

    began = bench_seconds(CLOCK_THREAD_CPUTIME_ID);
    bench_model(&b, epochs, &model);
    learned = bench_seconds(CLOCK_THREAD_CPUTIME_ID) - began;

    (void) getrusage(RUSAGE_SELF, &usage);
    bench_apply(&b, judge_buf_view(&model), us);
    (void) printf("%.1f %.0f %.1f %.1f\n", learned,
                  (double) usage.ru_maxrss / 1024, us[0], us[1]);

    judge_buf_free(&model);
    judge_arena_destroy(arena);
    free((void *) all.data);
    bench_free(&b);
}


int
main(int argc, char **argv)
{
    long  group;

    if (argc == 5 && strcmp(argv[1], "store") == 0) {
        group = strtol(argv[3], NULL, 10);
        if (group >= 1 && group <= BENCH_GROUP_MAX) {
            bench_store(judge_str_c(argv[2]), (size_t) group,
                        strtod(argv[4], NULL));
            return 0;
        }
    }

    if (argc == 5 && strcmp(argv[1], "rows") == 0) {
        bench_rows(argv[2], judge_str_c(argv[3]),
                   strtoul(argv[4], NULL, 10));
        return 0;
    }

    if (argc >= 4 && strcmp(argv[1], "score") == 0) {
        bench_score(strtod(argv[2], NULL), argc - 3, argv + 3);
        return 0;
    }

    if (argc >= 5 && strcmp(argv[1], "learn") == 0
        && strtoul(argv[2], NULL, 10) >= 10)
    {
        bench_learn(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10),
                    argc - 4, argv + 4);
        return 0;
    }

    (void) fprintf(stderr, "usage: bench_core store DIR GROUP SECONDS\n"
                           "       bench_core rows FILE DIR GROUP\n"
                           "       bench_core score SECONDS FILE...\n"
                           "       bench_core learn ITEMS EPOCHS FILE...\n");
    return 2;
}
