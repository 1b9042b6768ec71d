/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The queue: what is claimed in which order, by whom it is ended. */


#include <string.h>

#include "feedback.h"
#include "rows.h"
#include "store/store_batch.h"
#include "store/store_queue.h"
#include "work/evaluation/evaluate.h"
#include "work/service/background.h"


#define T_LEASE  30000
#define T_AGING  60000


static judge_str_t
make_content(t_api_t *api)
{
    judge_content_create_t  o;

    memset(&o, 0, sizeof(o));
    o.row = (judge_content_row_t) {
        .id = t_row_id(api, "cnt"), .file_type = JUDGE_STR("text"),
        .status = JUDGE_STR("ready"), .name = JUDGE_STR("N"),
        .text_content = JUDGE_STR("T")
    };
    t_is_int(t_op(api, &o.op, JUDGE_OP_CONTENT_CREATE), JUDGE_OK,
             "a content can be stored");

    return o.row.id;
}


static judge_str_t
make_evaluation(t_api_t *api, judge_str_t judge, judge_str_t content,
    int64_t priority)
{
    judge_evaluation_create_t  o;

    memset(&o, 0, sizeof(o));
    o.row = (judge_evaluation_row_t) {
        .id = t_row_id(api, "evl"), .queue_at = api->now, .priority = priority,
        .content_id = content, .judge_id = judge, .judge_version = 1,
        .created_at = api->now, .deadline = api->now + 3600000
    };
    t_is_int(t_op(api, &o.op, JUDGE_OP_EVALUATION_CREATE), JUDGE_OK,
             "an evaluation of priority %d can be stored", (int) priority);

    return o.row.id;
}


static judge_queue_claim_t
claim(t_api_t *api, const char *owner, int64_t limit)
{
    judge_queue_claim_t  o;

    memset(&o, 0, sizeof(o));
    o.lease.owner = judge_str_c(owner);
    o.now = api->now;
    o.lease.until = api->now + T_LEASE;
    o.aging = T_AGING;
    o.limit = limit;
    o.may_retry = true;
    o.jobs = judge_array_alloc(api->arena, (size_t) limit,
                               sizeof(judge_job_t *));
    t_is_int(t_op(api, &o.op, JUDGE_OP_QUEUE_CLAIM), JUDGE_OK,
             "worker %s can ask for evaluations", owner);

    return o;
}


/* Which may come together with a range. */

static judge_queue_claim_t
claim_ranges(t_api_t *api, const char *owner, int64_t limit)
{
    judge_queue_claim_t  o;

    memset(&o, 0, sizeof(o));
    o.lease.owner = judge_str_c(owner);
    o.now = api->now;
    o.lease.until = api->now + T_LEASE;
    o.aging = T_AGING;
    o.limit = limit;
    o.may_retry = true;
    o.ranges = true;
    o.jobs = judge_array_alloc(api->arena, (size_t) limit + JUDGE_RANGE_ROWS,
                               sizeof(judge_job_t *));
    t_is_int(t_op(api, &o.op, JUDGE_OP_QUEUE_CLAIM), JUDGE_OK,
             "worker %s can ask for ranges, too", owner);

    return o;
}


static judge_rc_e
finish_range(t_api_t *api, const char *owner, judge_str_t id,
    const judge_queue_range_t *range, bool *stored)
{
    judge_rc_e            rc;
    judge_result_t        result;
    judge_queue_finish_t  o;

    memset(&result, 0, sizeof(result));
    result.org = api->org;
    result.id = id;
    result.status = JUDGE_STR("completed");
    result.evaluated_at = api->now;
    result.overall_score = 50;
    result.scored = true;
    result.body = JUDGE_STR("{}");

    memset(&o, 0, sizeof(o));
    o.owner = judge_str_c(owner);
    if (range) {
        o.range = *range;
        o.range.attempts = 1;
    }
    o.results = &result;
    o.count = 1;
    rc = t_op(api, &o.op, JUDGE_OP_QUEUE_FINISH);
    *stored = rc == JUDGE_OK && result.stored;

    return rc;
}


static bool
finish(t_api_t *api, const char *owner, judge_str_t id)
{
    bool  stored;

    t_is_int(finish_range(api, owner, id, NULL, &stored), JUDGE_OK,
             "worker %s can end an evaluation", owner);

    return stored;
}


static bool
pending(t_api_t *api)
{
    judge_queue_peek_t  o;

    memset(&o, 0, sizeof(o));
    o.now = api->now;
    t_is_int(t_op(api, &o.op, JUDGE_OP_QUEUE_PEEK), JUDGE_OK,
             "the queue can be looked at");

    return o.pending;
}


static void
test_queue_order(t_api_t *api)
{
    judge_str_t          judge, content, low, normal, high, second;
    judge_queue_claim_t  o;

    judge = t_make_judge(api);
    content = make_content(api);
    t_ok(!pending(api), "nothing is pending before there are evaluations");

    low = make_evaluation(api, judge, content, JUDGE_PRIORITY_LOW);
    api->now++;
    normal = make_evaluation(api, judge, content, JUDGE_PRIORITY_NORMAL);
    api->now++;
    high = make_evaluation(api, judge, content, JUDGE_PRIORITY_HIGH);
    api->now++;
    second = make_evaluation(api, judge, content, JUDGE_PRIORITY_HIGH);
    t_ok(pending(api), "evaluations that nobody has taken are pending");

    o = claim(api, "one", 3);
    t_is_int((int64_t) o.count, 3,
             "as many evaluations are taken as were asked for");
    t_is_str(o.jobs[0]->id, high.data,
             "the older one of high priority comes first");
    t_is_str(o.jobs[1]->id, second.data,
             "the younger one of high priority comes second");
    t_is_str(o.jobs[2]->id, normal.data,
             "the one of normal priority comes third");
    t_is_int(o.jobs[0]->attempts, 1,
             "an evaluation that is taken has its first attempt");
    t_is_str(o.jobs[0]->content_id, content.data,
             "an evaluation that is taken names its content");

    o = claim(api, "two", 3);
    t_is_int((int64_t) o.count, 1, "the next worker gets what is left");
    t_is_str(o.jobs[0]->id, low.data, "the one of low priority comes last");
    t_is_int((int64_t) claim(api, "two", 3).count, 0,
             "nothing is left when all are taken");
    t_ok(!pending(api), "nothing is pending when all are taken");

    t_ok(finish(api, "one", high) && finish(api, "one", second)
         && finish(api, "one", normal) && finish(api, "two", low),
         "who has taken evaluations can end them");
}


static void
test_queue_aging(t_api_t *api)
{
    judge_str_t          judge, content, old_low, young_low, normal;
    judge_queue_claim_t  o;

    judge = t_make_judge(api);
    content = make_content(api);

    old_low = make_evaluation(api, judge, content, JUDGE_PRIORITY_LOW);
    api->now += 2 * T_AGING;
    young_low = make_evaluation(api, judge, content, JUDGE_PRIORITY_LOW);
    normal = make_evaluation(api, judge, content, JUDGE_PRIORITY_NORMAL);

    o = claim(api, "one", 10);
    t_is_int((int64_t) o.count, 3, "all three evaluations are taken");
    t_is_str(o.jobs[0]->id, old_low.data,
             "an evaluation that has waited long comes first");
    t_is_str(o.jobs[1]->id, normal.data,
             "one of normal priority comes before one of low priority");
    t_is_str(o.jobs[2]->id, young_low.data,
             "one of low priority that has not waited comes last");

    t_ok(finish(api, "one", old_low) && finish(api, "one", young_low)
         && finish(api, "one", normal),
         "who has taken old and young ones can end them");
}


static void
test_queue_lease(t_api_t *api)
{
    judge_str_t              judge, content, id;
    judge_queue_claim_t      o;
    judge_queue_release_t    release;
    judge_content_delete_t   delete;

    judge = t_make_judge(api);
    content = make_content(api);
    id = make_evaluation(api, judge, content, JUDGE_PRIORITY_NORMAL);

    t_is_int((int64_t) claim(api, "one", 5).count, 1,
             "an evaluation is taken");
    api->now += T_LEASE - 1;
    t_is_int((int64_t) claim(api, "two", 5).count, 0,
             "nobody else gets it while the lease runs");
    api->now += 1;
    o = claim(api, "two", 5);
    t_is_int((int64_t) o.count, 1,
             "an evaluation is taken over when its lease has run out");
    t_is_int(o.jobs[0]->attempts, 2,
             "an evaluation that was taken over has its second attempt");
    t_ok(!finish(api, "one", id), "whom it was taken from can't end it");
    t_ok(finish(api, "two", id), "who has taken it over can end it");
    t_ok(!finish(api, "two", id), "an evaluation can be ended once");

    id = make_evaluation(api, judge, content, JUDGE_PRIORITY_NORMAL);
    (void) claim(api, "one", 5);
    memset(&release, 0, sizeof(release));
    release.owner = JUDGE_STR("one");
    release.now = api->now;
    release.until = api->now + T_LEASE;
    t_is_int(t_op(api, &release.op, JUDGE_OP_QUEUE_RELEASE), JUDGE_OK,
             "all of one owner can be given back");
    o = claim(api, "two", 5);
    t_is_int((int64_t) o.count, 1, "what was given back is taken at once");
    t_is_int(o.jobs[0]->attempts, 2,
             "what was given back has its second attempt");

    release.owner = JUDGE_STR("two");
    release.left = 1;
    t_is_int(t_op(api, &release.op, JUDGE_OP_QUEUE_RELEASE), JUDGE_OK,
             "who leaves in order can give back what it has");
    o = claim(api, "two", 5);
    t_is_int(o.jobs[0]->attempts, 2,
             "what was given back in order has no further attempt");

    memset(&delete, 0, sizeof(delete));
    delete.id = content;
    t_is_int(t_op(api, &delete.op, JUDGE_OP_CONTENT_DELETE), JUDGE_OK,
             "the content is deleted");
    t_ok(!finish(api, "two", id), "what was cancelled is not stored");
}


/* What did not end comes one by one, and does not keep back what is behind
 * it. */

static void
test_queue_again(t_api_t *api)
{
    int                  i;
    judge_str_t          judge, content, fresh, last;
    judge_queue_claim_t  o;

    judge = t_make_judge(api);
    content = make_content(api);
    for (i = 0; i < 6; i++) {
        (void) make_evaluation(api, judge, content, JUDGE_PRIORITY_NORMAL);
    }
    t_is_int((int64_t) claim(api, "one", 6).count, 6,
             "six evaluations are taken");
    api->now += T_LEASE;
    fresh = make_evaluation(api, judge, content, JUDGE_PRIORITY_NORMAL);
    last = make_evaluation(api, judge, content, JUDGE_PRIORITY_NORMAL);
    api->now++;

    o = claim(api, "two", 3);
    t_is_int((int64_t) o.count, 3,
             "as many evaluations are taken as are wanted");
    t_ok(o.jobs[0]->retry, "one of them was taken before");
    t_ok(!o.jobs[1]->retry && !o.jobs[2]->retry,
         "the others were not taken before");
    t_ok(finish(api, "two", fresh) && finish(api, "two", last),
         "fresh ones are not kept back by those that were taken before");

    for (i = 0; i < 5; i++) {
        t_is_int((int64_t) claim(api, "two", 3).count, 1,
                 "evaluations that were taken before come one by one");
    }
    t_is_int((int64_t) claim(api, "two", 3).count, 0, "no evaluation is left");
    t_is_int(t_number(api, "SELECT count(*) FROM evaluations WHERE owner ="
                      " 'two' AND attempts = 2"), 6,
             "each that was taken before has its second attempt");
    t_execute(api, "DELETE FROM evaluations WHERE owner = 'two'");
}


/* Two evaluations of a large batch, as a slice leaves them. */

static judge_str_t
make_range(t_api_t *api, judge_str_t ids[2])
{
    size_t       i;
    judge_str_t  judge, content;

    judge = t_make_judge(api);
    content = make_content(api);

    for (i = 0; i < 2; i++) {
        ids[i] = make_evaluation(api, judge, content, JUDGE_PRIORITY_NORMAL);
    }

    t_execute(api, t_format(api,
                  "UPDATE evaluations SET queue_at = NULL, batch_id = 'bat'"
                  " WHERE id IN ('%.*s', '%.*s');"
                  "INSERT INTO queue_ranges (org, batch_id, first, last,"
                  " size, priority, created_at, queue_at) SELECT org,"
                  " batch_id, min(id), max(id), 2, priority, created_at,"
                  " created_at FROM evaluations WHERE batch_id = 'bat'",
                  (int) ids[0].len, ids[0].data, (int) ids[1].len,
                  ids[1].data));

    return content;
}


static bool
is_range(t_api_t *api)
{
    judge_queue_depth_t  o;

    memset(&o, 0, sizeof(o));
    o.now = api->now;
    t_is_int(t_op(api, &o.op, JUDGE_OP_QUEUE_DEPTH), JUDGE_OK,
             "the depth of the queue can be asked for");

    return o.due[0][JUDGE_PRIORITY_NORMAL] + o.later[0][JUDGE_PRIORITY_NORMAL]
           == 2;
}


static void
test_queue_range(t_api_t *api)
{
    bool                    stored;
    judge_str_t             ids[2], judge, high, low;
    judge_queue_claim_t     o;
    judge_content_delete_t  delete;

    (void) make_range(api, ids);
    t_ok(is_range(api), "both evaluations of a range are counted");
    judge = t_make_judge(api);
    high = make_evaluation(api, judge, make_content(api),
                           JUDGE_PRIORITY_HIGH);
    low = make_evaluation(api, judge, make_content(api), JUDGE_PRIORITY_LOW);

    o = claim_ranges(api, "one", 1);
    t_is_int((int64_t) o.count, 1, "one evaluation comes if one is asked for");
    t_is_str(o.jobs[0]->id, high.data,
             "an urgent evaluation comes before a range");
    t_ok(!o.whole, "an urgent evaluation does not come with a range");

    o = claim_ranges(api, "one", 5);
    t_is_int((int64_t) o.count, 2,
             "a range comes when nothing more urgent waits");
    t_is_int((int64_t) o.alone, 0,
             "less urgent ones do not come with a range");
    t_is_str(o.jobs[0]->id, ids[0].data, "a range has its order");
    t_is_int(o.jobs[0]->attempts, 1,
             "a range that is taken has its first attempt");
    t_is_int((int64_t) claim_ranges(api, "two", 5).count, 1,
             "a range is taken once");

    t_is_int(finish_range(api, "two", ids[0], &o.range, &stored),
             JUDGE_NOT_FOUND, "nobody else can end an evaluation of a range");
    (void) finish_range(api, "one", ids[0], &o.range, &stored);
    t_ok(stored, "who holds a range can end one of it");

    api->now += T_LEASE;
    o = claim_ranges(api, "two", 5);
    t_ok(o.broken && o.count == 1,
         "a range whose lease has run out is no range any more");
    t_is_str(o.jobs[0]->id, high.data,
             "a single one whose lease has run out comes first");
    t_ok(o.jobs[0]->retry,
         "a single one whose lease has run out is known as such");

    o = claim_ranges(api, "two", 5);
    t_is_int((int64_t) o.count, 1,
             "what had not ended of a range comes alone");
    t_is_int(o.jobs[0]->attempts, 2,
             "what had not ended of a range has its second attempt");
    t_is_str(claim_ranges(api, "two", 5).jobs[0]->id, low.data,
             "what was less urgent comes then");

    t_ok(finish(api, "two", ids[1]) && finish(api, "two", low)
         && finish(api, "two", high), "who has taken them over can end them");

    (void) make_range(api, ids);
    o = claim_ranges(api, "one", 5);
    (void) finish_range(api, "one", ids[0], &o.range, &stored);
    t_ok(is_range(api), "a range of which one has ended is still one");
    (void) finish_range(api, "one", ids[1], &o.range, &stored);
    t_ok(stored && !is_range(api), "a range of which all have ended is gone");

    memset(&delete, 0, sizeof(delete));
    delete.id = make_range(api, ids);
    t_is_int(t_op(api, &delete.op, JUDGE_OP_CONTENT_DELETE), JUDGE_OK,
             "the contents of a range are deleted");
    o = claim_ranges(api, "one", 5);
    t_ok(o.broken && !is_range(api),
         "a range of which nothing is left is gone");
}


/* Four are on the way, one waits behind, when another worker takes all. */

static void
test_queue_lost(t_api_t *api)
{
    size_t       i;
    uint64_t     before;
    const char  *judge, *ids[5];

    judge = t_judge(api, "text");
    before = judge_metrics_get(api->service.metrics, JUDGE_METRIC_MEASURED);
    api->later = true;

    for (i = 0; i < 5; i++) {
        ids[i] = t_text(t_sendf(api, "POST", t_format(api,
                     "{\"judge_id\":\"%s\",\"content_id\":\"%s\"}", judge,
                     t_content(api, t_format(api, "Text %zu.", i))),
                     "/evaluations/single"), "evaluation_id");
    }

    api->now += api->service.settings.lease;
    for (i = 0; i < 5; i++) {
        (void) claim(api, "two", 5);
    }

    api->later = false;
    t_run(api);
    t_is_int((int64_t) (judge_metrics_get(api->service.metrics,
                            JUDGE_METRIC_MEASURED) - before), 4,
             "what waited is not scored by who has lost it");

    for (i = 0; i < 5; i++) {
        t_ok(finish(api, "two", judge_str_c(ids[i])),
             "what was lost is not ended by who has lost it");
    }
}


/* Three that threads are about to score; the contents of them. */

static uint64_t
make_scored(t_api_t *api, const char *contents[3])
{
    size_t       i;
    const char  *judge;

    judge = t_judge(api, "text");
    api->later = true;

    for (i = 0; i < 3; i++) {
        contents[i] = t_content(api, t_format(api, "Text %zu.", i));
        (void) t_sendf(api, "POST", t_format(api,
                     "{\"judge_id\":\"%s\",\"content_id\":\"%s\"}", judge,
                     contents[i]), "/evaluations/single");
    }

    return judge_metrics_get(api->service.metrics, JUDGE_METRIC_MEASURED);
}


static void
test_queue_deleted(t_api_t *api)
{
    uint64_t     before;
    const char  *contents[3];

    before = make_scored(api, contents);
    t_is_status(t_sendf(api, "DELETE", NULL, "/content/%s", contents[1]), 204,
                "one of the contents is deleted");
    t_tick(api, 399);
    t_ok(!atomic_load(&api->service.computing->next->deleted[0]),
         "what has just been begun is not looked at");
    t_tick(api, 1);
    t_ok(atomic_load(&api->service.computing->next->deleted[0])
         && !atomic_load(&api->service.computing->deleted[0]),
         "a look finds the evaluation whose content was deleted");

    api->later = false;
    t_run(api);
    t_is_int((int64_t) (judge_metrics_get(api->service.metrics,
                            JUDGE_METRIC_MEASURED) - before), 2,
             "what was deleted meanwhile is not scored");
    t_is_int(t_number(api, "SELECT count(*) FROM evaluations WHERE status ="
                           " 'processing'"), 0,
             "what was not deleted is scored");
    t_ok(api->service.computing == NULL,
         "nothing is under way when all are scored");
}


static void
test_queue_left(t_api_t *api)
{
    uint64_t     before;
    const char  *contents[3];

    before = make_scored(api, contents);
    judge_background_stop(&api->service);
    t_tick(api, 399);
    t_ok(!atomic_load(&api->service.computing->stopped),
         "a worker that leaves ends what it can");
    t_tick(api, 1);
    api->later = false;
    t_run(api);
    t_is_int((int64_t) (judge_metrics_get(api->service.metrics,
                            JUDGE_METRIC_MEASURED) - before), 0,
             "a worker that leaves does not wait for what takes long");
    t_is_int(t_number(api, "SELECT count(*) FROM evaluations WHERE status ="
                           " 'processing'"), 3,
             "what takes long is tried again by others");
    t_ok(!judge_background_busy(&api->service),
         "nothing keeps a worker that leaves");
}


static void
test_queue_load(t_api_t *api)
{
    judge_job_t         *jobs[2], one, two;
    judge_queue_load_t   o;

    memset(&one, 0, sizeof(one));
    one.org = api->org;
    one.judge_id = t_make_judge(api);
    one.content_id = make_content(api);
    one.judge_version = 1;
    two = one;
    two.judge_version = 2;
    jobs[0] = &one;
    jobs[1] = &two;

    memset(&o, 0, sizeof(o));
    o.jobs = jobs;
    o.count = 2;
    t_is_int(t_op(api, &o.op, JUDGE_OP_QUEUE_LOAD), JUDGE_OK,
             "the texts and judges of jobs can be read");
    t_ok(one.found, "a job is found with its content and judge");
    t_is_str(one.text_content, "T", "a job has its text");
    t_is_str(one.judge_name, "N", "a job has the name of its judge");
    t_ok(one.criteria.len > 0, "a job has the criteria of its judge");
    t_ok(!two.found, "a version that is not there is not found");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_queue_order(api);
    test_queue_aging(api);
    test_queue_lease(api);
    test_queue_again(api);
    test_queue_range(api);
    test_queue_lost(api);
    test_queue_load(api);
    test_queue_deleted(api);
    test_queue_left(api);

    t_api_destroy(api);

    return t_done();
}
