/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Entries of the audit log for requests that change judges, their references
 * and training, keys, people or settings, or that delete something.  The first
 * operation that writes stores the entry in its transaction. */


#include <string.h>

#include "base/crypto/crypto.h"
#include "store/store_audit.h"
#include "api/http/request.h"


#define JUDGE_AUDIT_NAME   64          /* bytes of a member's name */
#define JUDGE_AUDIT_VALUE  200
#define JUDGE_AUDIT_ITEMS  40

#define JUDGE_AUDIT_CHANGES                                                   \
    (JUDGE_MAY_WRITE_JUDGES | JUDGE_MAY_WRITE_TRAINING                        \
     | JUDGE_MAY_WRITE_CONFIG | JUDGE_MAY_WRITE_KEYS                          \
     | JUDGE_MAY_WRITE_PEOPLE | JUDGE_MAY_WRITE_REFERENCES)

static const char *const  judge_audit_methods[JUDGE_METHODS] = {
    [JUDGE_POST] = "POST",
    [JUDGE_PUT] = "PUT",
    [JUDGE_PATCH] = "PATCH",
    [JUDGE_DELETE] = "DELETE",
};

/* Members whose values are logged, as they hold no secrets, no texts and no
 * addresses of people, who may be removed. */
static const char *const  judge_audit_logged[] = {
    "active_version", "api_key_id", "content_type", "enabled", "expires_at",
    "judge_id", "name", "permissions", "role", "status", "version", NULL
};

typedef struct {
    judge_id_t     id;
    judge_audit_t  row;
} judge_audit_note_t;


bool
judge_audit_wanted(const judge_req_t *r)
{
    return r->key_id.data && judge_audit_methods[r->route->method]
           && (r->route->method == JUDGE_DELETE
               || r->route->permission & JUDGE_AUDIT_CHANGES);
}


/* Whether a field could have the name.  Unknown members of a body, which are
 * ignored, may have any name. */

static bool
judge_audit_is_name(judge_str_t name)
{
    size_t  i;

    for (i = 0; i < name.len; i++) {
        if (name.data[i] != '_' && (name.data[i] < 'a' || name.data[i] > 'z'))
        {
            return false;
        }
    }

    return name.len <= JUDGE_AUDIT_NAME;
}


static bool
judge_audit_short(const judge_json_t *v)
{
    const judge_json_t  *item;

    if (v->type == JUDGE_JSON_ARRAY) {
        for (item = v->first; item; item = item->next) {
            if (item->type != JUDGE_JSON_STRING
                || item->string.len > JUDGE_AUDIT_NAME)
            {
                return false;
            }
        }

        return v->count <= JUDGE_AUDIT_ITEMS;
    }

    return v->type == JUDGE_JSON_STRING ? v->string.len <= JUDGE_AUDIT_VALUE
                                        : v->type != JUDGE_JSON_OBJECT;
}


static judge_rc_e
judge_audit_body(judge_req_t *r, judge_audit_t *row)
{
    size_t               i, n;
    judge_buf_t          names, values;
    const judge_json_t  *v;
    judge_json_writer_t  fields, given;

    judge_json_begin_array(&fields, &names, r->arena);
    judge_json_begin_object(&given, &values, r->arena);

    for (v = r->body->first, n = 0; v && n < JUDGE_AUDIT_ITEMS; v = v->next) {
        if (!judge_audit_is_name(v->key)) {
            continue;
        }

        judge_json_str(&fields, v->key);
        n++;

        for (i = 0; judge_audit_logged[i]; i++) {
            if (judge_str_eq_c(v->key, judge_audit_logged[i])
                && judge_audit_short(v))
            {
                judge_json_key_str(&given, v->key);
                judge_json_value(&given, v);
            }
        }
    }

    row->fields = judge_json_text(&fields);
    row->given = judge_json_text(&given);

    return row->fields.data && row->given.data ? JUDGE_OK : JUDGE_NOMEM;
}


judge_rc_e
judge_audit_note(judge_req_t *r, judge_op_t *op)
{
    judge_rc_e           rc;
    const char          *method;
    judge_audit_note_t  *note;

    note = judge_calloc(r->arena, sizeof(judge_audit_note_t));
    if (note == NULL) {
        return JUDGE_NOMEM;
    }

    method = judge_audit_methods[r->route->method];
    note->row.at = judge_now(r->service);
    note->row.key_id = r->key_id;
    note->row.person = r->person;
    note->row.action = judge_str_printf(r->arena, "%s %s", method,
                                        r->route->pattern);
    note->row.object = strchr(r->route->pattern, '{') ? r->params[0]
                       : op == r->created && r->route->location
                         ? judge_reply_id(r) : (judge_str_t) { 0, NULL };
    if (note->row.object.len == 0) {
        note->row.object = judge_str_c(r->route->pattern);
    }

    rc = note->row.action.data ? judge_id_make(&note->id, "aud", note->row.at)
                               : JUDGE_NOMEM;
    note->row.id = judge_id_str(&note->id);

    if (rc == JUDGE_OK && r->body && r->body->type == JUDGE_JSON_OBJECT) {
        rc = judge_audit_body(r, &note->row);
    }

    op->audit = rc == JUDGE_OK ? &note->row : NULL;

    return rc;
}
