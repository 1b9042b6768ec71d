/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The names of permissions, and the permissions of each role.  The second
 * table is in docs/people.md, too; t/people.t compares them. */


#include "api/http/request.h"


static const struct {
    const char  *name;
    uint64_t     bit;
} judge_permissions[] = {
    { "judges:read", JUDGE_MAY_READ_JUDGES },
    { "judges:write", JUDGE_MAY_WRITE_JUDGES },
    { "content:read", JUDGE_MAY_READ_CONTENT },
    { "content:write", JUDGE_MAY_WRITE_CONTENT },
    { "evaluations:read", JUDGE_MAY_READ_EVALUATIONS },
    { "evaluations:write", JUDGE_MAY_WRITE_EVALUATIONS },
    { "feedback:read", JUDGE_MAY_READ_FEEDBACK },
    { "feedback:write", JUDGE_MAY_WRITE_FEEDBACK },
    { "training:read", JUDGE_MAY_READ_TRAINING },
    { "training:write", JUDGE_MAY_WRITE_TRAINING },
    { "llm:use", JUDGE_MAY_USE_LLM },
    { "config:read", JUDGE_MAY_READ_CONFIG },
    { "config:write", JUDGE_MAY_WRITE_CONFIG },
    { "keys:read", JUDGE_MAY_READ_KEYS },
    { "keys:write", JUDGE_MAY_WRITE_KEYS },
    { "references:write", JUDGE_MAY_WRITE_REFERENCES },
    { "work:claim", JUDGE_MAY_CLAIM_WORK },
    { "people:read", JUDGE_MAY_READ_PEOPLE },
    { "people:write", JUDGE_MAY_WRITE_PEOPLE },
    { "audit:read", JUDGE_MAY_READ_AUDIT },
    { "*", JUDGE_MAY_ALL },
};

#define JUDGE_PERMISSIONS                                                     \
    (sizeof(judge_permissions) / sizeof(*judge_permissions))

const char *const  judge_roles[] = {
    "owner", "editor", "annotator", "viewer", NULL
};

/* An annotator must be able to read what is corrected. */
#define JUDGE_ROLE_ANNOTATES                                                  \
    (JUDGE_MAY_READ_JUDGES | JUDGE_MAY_READ_CONTENT                           \
     | JUDGE_MAY_READ_EVALUATIONS | JUDGE_MAY_READ_FEEDBACK                   \
     | JUDGE_MAY_WRITE_FEEDBACK)

#define JUDGE_ROLE_VIEWS                                                      \
    (JUDGE_MAY_READ_JUDGES | JUDGE_MAY_READ_CONTENT                           \
     | JUDGE_MAY_READ_EVALUATIONS | JUDGE_MAY_READ_FEEDBACK                   \
     | JUDGE_MAY_READ_TRAINING)

#define JUDGE_ROLE_EDITS                                                      \
    (JUDGE_ROLE_ANNOTATES | JUDGE_ROLE_VIEWS | JUDGE_MAY_WRITE_JUDGES         \
     | JUDGE_MAY_WRITE_CONTENT | JUDGE_MAY_WRITE_EVALUATIONS                  \
     | JUDGE_MAY_WRITE_TRAINING | JUDGE_MAY_USE_LLM | JUDGE_MAY_READ_CONFIG   \
     | JUDGE_MAY_WRITE_REFERENCES | JUDGE_MAY_READ_PEOPLE)

/* In the order of judge_roles. */
static const uint64_t  judge_role_bits[] = {
    JUDGE_MAY_ALL, JUDGE_ROLE_EDITS, JUDGE_ROLE_ANNOTATES, JUDGE_ROLE_VIEWS,
    0                                  /* there is no such role */
};


uint64_t
judge_permission(judge_str_t name)
{
    size_t  i;

    for (i = 0; i < JUDGE_PERMISSIONS; i++) {
        if (judge_str_eq_c(name, judge_permissions[i].name)) {
            return judge_permissions[i].bit;
        }
    }

    return 0;
}


void
judge_permissions_write(judge_json_writer_t *w, uint64_t permissions)
{
    size_t  i;

    judge_json_array(w);

    for (i = 0; i < JUDGE_PERMISSIONS; i++) {
        if (permissions & judge_permissions[i].bit) {
            judge_json_str(w, judge_str_c(judge_permissions[i].name));
        }
    }

    judge_json_array_end(w);
}


const char *
judge_permission_name(uint64_t permission)
{
    size_t  i;

    for (i = 0; i < JUDGE_PERMISSIONS; i++) {
        if (permission & judge_permissions[i].bit) {
            return judge_permissions[i].name;
        }
    }

    return "";
}


uint64_t
judge_role_permissions(judge_str_t role)
{
    return judge_role_bits[judge_str_index_c(judge_roles, role)];
}


bool
judge_auth_may(const judge_req_t *r, uint64_t permissions)
{
    return r->permissions & JUDGE_MAY_ALL
           || (permissions & ~r->permissions) == 0;
}


bool
judge_auth_may_grant(judge_req_t *r, uint64_t permissions)
{
    return judge_auth_may(r, permissions)
           || judge_fail(r, 403, "the API key lacks the permission %s and"
                         " can't grant it", judge_permission_name(permissions
                                               & ~r->permissions));
}


judge_str_t
judge_auth_blind(const judge_req_t *r)
{
    return judge_str_eq_c(r->role, "annotator") ? r->person
                                                : (judge_str_t) { 0, NULL };
}


judge_rc_e
judge_auth_person(const judge_req_t *r, const char *field,
    judge_str_t *person, judge_str_t *error)
{
    bool  named;

    named = r->person.data ? person->data && !judge_str_eq(*person, r->person)
                           : judge_id_wellformed(*person, "per");
    if (named) {
        return judge_invalid(error, judge_str_printf(r->arena,
                   "%s: expected nobody, because it is set to who is logged"
                   " in", field));
    }

    *person = r->person.data ? r->person : *person;

    return JUDGE_OK;
}
