/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "work/render/resource_json.h"
#include "work/render/event_json.h"
#include "work/service/extension.h"


judge_rc_e
judge_event_read(judge_json_writer_t *w, const judge_store_t *reads,
    const judge_event_t *event, judge_op_t *op, judge_op_kind_e kind)
{
    op->kind = kind;
    op->org = event->org;
    op->arena = w->buf->arena;

    return reads->read(reads->data, op);
}


static judge_rc_e
judge_event_batch(judge_json_writer_t *w, const judge_store_t *reads,
    judge_event_t *event)
{
    judge_rc_e         rc;
    judge_batch_get_t  get = { .id = event->subject };

    get.brief = event->type == JUDGE_EVENT_BATCH_PROGRESS;

    rc = judge_event_read(w, reads, event, &get.op, JUDGE_OP_BATCH_GET);
    if (rc == JUDGE_OK) {
        judge_batch_json(w, &get.row, get.failures, get.nfailures, 0);
    }

    return rc;
}


/* Writes an entry, or a session as the answer to its submission. */

static void
judge_event_feedback(judge_json_writer_t *w, const judge_event_t *event)
{
    const judge_feedback_done_t  *done = event->row;

    if (event->subject.data) {
        judge_feedback_json(w, event->row);
        return;
    }

    judge_json_put_str(w, "batch_id", done->batch_id);
    judge_json_put_str(w, "feedback_session_id", done->id);
    judge_json_put_int(w, "submitted_count", done->accepted);
    judge_json_put_int(w, "failed_count", done->rejected);
    judge_json_put_c(w, "processing_status", "processed");
    judge_json_put_time(w, "submitted_at", done->submitted_at);

    if (done->notify_email) {
        judge_json_put_bool(w, "notification_email", true);
    }
}


/* Returns JUDGE_NOT_FOUND, so that the event is dropped, if the judge is not
 * ready. */

static judge_rc_e
judge_event_judge(judge_json_writer_t *w, const judge_store_t *reads,
    judge_event_t *event)
{
    judge_rc_e          rc;
    judge_judge_find_t  judge = { .id = event->subject };

    rc = judge_event_read(w, reads, event, &judge.op, JUDGE_OP_JUDGE_FIND);

    if (rc == JUDGE_OK && event->type == JUDGE_EVENT_JUDGE_READY
        && !judge_str_eq_c(judge.row.status, "ready"))
    {
        return JUDGE_NOT_FOUND;
    }

    if (rc == JUDGE_OK) {
        judge_judge_json(w, &judge.row);
        judge_reference_errors_json(w, event->org, judge.references,
                                    judge.nreferences, judge.row.content_type,
                                    false);
    }

    return rc;
}


/* Writes the record of the event's subject.  Events of types that are missing
 * here were created with their data. */

static judge_rc_e
judge_event_record(judge_json_writer_t *w, const judge_store_t *reads,
    judge_event_t *event)
{
    judge_rc_e                     rc;
    judge_content_find_t           content = { .id = event->subject };
    judge_training_find_t          job = { .id = event->subject };
    const judge_training_course_t  none = { 0 };

    switch (event->type) {
    case JUDGE_EVENT_BATCH_STARTED:
    case JUDGE_EVENT_BATCH_PROGRESS:
    case JUDGE_EVENT_BATCH_COMPLETED:
    case JUDGE_EVENT_BATCH_FAILED:
        return judge_event_batch(w, reads, event);

    case JUDGE_EVENT_CONTENT_READY:
    case JUDGE_EVENT_CONTENT_ERROR:
        rc = judge_event_read(w, reads, event, &content.op,
                              JUDGE_OP_CONTENT_FIND);
        if (rc == JUDGE_OK) {
            judge_content_json(w, &content.row, content.row.file_url);
        }
        return rc;

    case JUDGE_EVENT_FEEDBACK_PROCESSED:
        judge_event_feedback(w, event);
        return JUDGE_OK;

    /* The losses of epochs are left out; GET of the job has them. */
    case JUDGE_EVENT_TRAINING_STARTED:
    case JUDGE_EVENT_TRAINING_PROGRESS:
    case JUDGE_EVENT_TRAINING_COMPLETED:
    case JUDGE_EVENT_TRAINING_FAILED:
    case JUDGE_EVENT_TRAINING_CANCELLED:
        rc = judge_event_read(w, reads, event, &job.op,
                              JUDGE_OP_TRAINING_FIND);
        if (rc == JUDGE_OK) {
            judge_training_json(w, &job.row,
                                judge_training_ended(job.row.status)
                                ? &none : NULL, NULL,
                                judge_id_time(judge_id_str(&event->id)), NULL);
        }
        return rc;

    case JUDGE_EVENT_JUDGE_READY:
    case JUDGE_EVENT_JUDGE_VERSION_CREATED:
        return judge_event_judge(w, reads, event);

    case JUDGE_EVENT_WEBHOOK_TEST:
        judge_json_put_c(w, "message",
                         "This is a test: webhooks reach this address.");
        return JUDGE_OK;

    default:
        return judge_extensions_event(w, reads, event);
    }
}


judge_rc_e
judge_event_render(judge_arena_t *arena, const judge_store_t *reads,
    judge_event_t *event)
{
    judge_rc_e           rc, written;
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, arena);
    rc = judge_event_record(&w, reads, event);
    judge_json_object_end(&w);
    written = judge_json_finish(&w);

    event->data = judge_buf_view(&buf);

    return rc == JUDGE_OK ? written : rc;
}


judge_str_t
judge_event_body(judge_arena_t *arena, const judge_delivery_row_t *row)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, arena);
    judge_json_put_id(&w, "event_id", row->event_id);
    judge_json_put_str(&w, "type", row->type);
    judge_json_put_time(&w, "created_at", row->created_at);
    judge_json_put_str(&w, "organization_id", row->org);
    judge_json_put_raw(&w, "data", row->data);

    return judge_json_text(&w);
}


void
judge_event_open(judge_json_writer_t *w, judge_buf_t *buf, const char *event,
    int64_t id)
{
    judge_buf_printf(buf, "id: %lld%s\nevent: %s\ndata: ", (long long) id,
                     strcmp(event, "done") == 0 ? JUDGE_EVENT_DONE : "",
                     event);
    judge_json_begin(w, buf);
    judge_json_object(w);
}


void
judge_event_close(judge_json_writer_t *w)
{
    judge_buf_t  *buf = w->buf;

    judge_json_object_end(w);
    if (judge_json_finish(w) != JUDGE_OK) {
        buf->failed = true;
    }
    judge_buf_c(buf, "\n\n");
}
