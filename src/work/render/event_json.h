/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Renders events: the record of their subject, and the body around it; and
 * server-sent events. */


#ifndef JUDGE_EVENT_JSON_H
#define JUDGE_EVENT_JSON_H


#include "base/json/json.h"
#include "store/store_webhook.h"


/* The judge_event_render_pt of the service: shows a batch, content or judge as
 * its GET does, but without a file's address, which depends on the request,
 * and for batch.progress without content_ids. */
judge_rc_e judge_event_render(judge_arena_t *arena,
    const judge_store_t *reads, judge_event_t *event);

/* Runs a reading operation of the event's organization. */
judge_rc_e judge_event_read(judge_json_writer_t *w,
    const judge_store_t *reads, const judge_event_t *event, judge_op_t *op,
    judge_op_kind_e kind);

/* The body of a delivery, the same for each attempt; data NULL: out of
 * memory. */
judge_str_t judge_event_body(judge_arena_t *arena,
    const judge_delivery_row_t *row);

/* Opens a server-sent event, whose data is an object, and closes it.  The last
 * one of a stream is "done", and its identifier ends with JUDGE_EVENT_DONE. */
#define JUDGE_EVENT_DONE  "-done"

void judge_event_open(judge_json_writer_t *w, judge_buf_t *buf,
    const char *event, int64_t id);
void judge_event_close(judge_json_writer_t *w);


#endif /* JUDGE_EVENT_JSON_H */
