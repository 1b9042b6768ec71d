/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The extension of people, and the endpoints that list, create, change and
 * delete those of an organization, and that tell who makes a request. */


#include "work/service/extension.h"
#include "extensions/people/people.h"


#define JUDGE_PERSON_NAME     200
#define JUDGE_PERSON_ADDRESS_MAX  320

typedef struct {
    judge_id_t             id;
    judge_id_t             key_id;
    uint8_t                hash[JUDGE_SHA256_LEN];
    judge_str_t            key;        /* absent: none was created */
    judge_person_create_t  create;
    judge_person_find_t    find;       /* of a repeat */
} judge_people_create_t;

typedef struct {
    judge_person_find_t    find;
    judge_person_update_t  update;
} judge_people_update_t;

typedef struct {
    judge_list_query_t   query;
    judge_person_list_t  list;
} judge_people_list_t;


static void judge_people_record(judge_req_t *r, judge_json_writer_t *w,
    const void *row);
static bool judge_people_create(judge_req_t *r);
static void judge_people_created(judge_req_t *r);
static void judge_people_replayed(judge_req_t *r);
static bool judge_people_update(judge_req_t *r);
static void judge_people_update_found(judge_req_t *r);
static void judge_people_updated(judge_req_t *r);
static void judge_people_deleted(judge_req_t *r);
static void judge_people_me(judge_req_t *r);
static void judge_people_me_found(judge_req_t *r);


#define judge_people_fields(of, row, need)                                    \
    judge_field_as("name", of, row.name, STRING, need, 1, JUDGE_PERSON_NAME), \
    judge_field_as("address", of, row.address, STRING, need, 3,               \
                   JUDGE_PERSON_ADDRESS_MAX),                                 \
    judge_field_one_of_as("role", of, row.role, WORD, need, judge_roles),     \
    judge_field_as("login", of, row.login, STRING, 0, 1, JUDGE_LOGIN_MAX),    \
    judge_field_as("api_key_id", of, row.key_id, STRING, 0, 1, 40)

static const judge_field_t  judge_people_create_fields[] = {
    judge_people_fields(judge_people_create_t, create.row, JUDGE_REQUIRED),
    { .name = NULL }
};

static const judge_field_t  judge_people_update_fields[] = {
    judge_people_fields(judge_people_update_t, update.row, 0),
    { .name = NULL }
};

static const judge_field_t  judge_people_query[] = {
    judge_list_query_fields(judge_people_list_t, query),
    judge_field_one_of_as("role", judge_people_list_t, list.role, WORD, 0,
                          judge_roles),
    { .name = NULL }
};

static const judge_resource_t  judge_people_resource = {
    "per", "person", "people"
};

/* By JUDGE_PERSON_…. */
static const char *const  judge_people_conflicts[] = {
    "the person is already registered",
    "this is the last owner; make somebody else one first",
    ("this person has the last active API key with the permission *; make"
     " another one first"),
    "address: somebody else here has it",
    "login: somebody else here has it",
    "api_key_id: it belongs to somebody else"
};


static const judge_route_t  judge_people_routes[] = {
    { judge_route(GET, "/people/me", 0, 0, judge_person_find_t),
      .handler = judge_people_me },
    { judge_route(GET, "/people", JUDGE_MAY_READ_PEOPLE, 0,
                  judge_people_list_t),
      .query = judge_people_query, .resource = &judge_people_resource,
      .list = { judge_route_list(JUDGE_OP_PERSON_LIST, judge_people_list_t,
                                 judge_person_row_t),
                .record = judge_people_record } },
    { judge_route(POST, "/people", JUDGE_MAY_WRITE_PEOPLE,
                  JUDGE_ROUTE_CREATES | JUDGE_ROUTE_REREAD,
                  judge_people_create_t),
      .body = judge_people_create_fields,
      .op = { .kind = JUDGE_OP_PERSON_CREATE,
              .op = offsetof(judge_people_create_t, create.op),
              .now = offsetof(judge_people_create_t, create.row.created_at),
              .prepare = judge_people_create, .record = judge_people_record,
              .row = offsetof(judge_people_create_t, create.row),
              .committed = judge_auth_changed, .refused = true,
              .status = 201, .next = judge_people_created },
      .location = "/people/{id}", .replayed = judge_people_replayed },
    { judge_route(GET, "/people/{person_id}", JUDGE_MAY_READ_PEOPLE, 0,
                  judge_person_find_t),
      .resource = &judge_people_resource,
      .op = { judge_route_op(JUDGE_OP_PERSON_FIND, judge_person_find_t, ),
              .record = judge_people_record,
              .row = offsetof(judge_person_find_t, row) } },
    { judge_route(PATCH, "/people/{person_id}", JUDGE_MAY_WRITE_PEOPLE, 0,
                  judge_people_update_t),
      .body = judge_people_update_fields, .resource = &judge_people_resource,
      .op = { judge_route_op(JUDGE_OP_PERSON_FIND, judge_people_update_t,
                             find.),
              .prepare = judge_people_update,
              .next = judge_people_update_found } },
    { judge_route(DELETE, "/people/{person_id}", JUDGE_MAY_WRITE_PEOPLE, 0,
                  judge_person_delete_t),
      .resource = &judge_people_resource,
      .op = { judge_route_op_now(JUDGE_OP_PERSON_DELETE, judge_person_delete_t,
                                 ),
              .committed = judge_auth_changed, .refused = true,
              .next = judge_people_deleted } },
    { .pattern = NULL }
};

static const judge_route_t *const  judge_people_all_routes[] = {
    judge_people_routes,
    judge_audit_routes,
    judge_annotation_routes,
    judge_annotation_agreement_routes,
    NULL
};

const judge_extension_t  judge_extension_people = {
    .name = "people",
    .routes = judge_people_all_routes
};


static void
judge_people_record(judge_req_t *r, judge_json_writer_t *w, const void *record)
{
    const judge_person_row_t  *row = record;

    judge_json_put_id(w, "person_id", row->id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_str(w, "address", row->address);
    judge_json_put_str(w, "role", row->role);
    judge_json_put_str(w, "login", row->login);
    judge_json_put_str(w, "api_key_id", row->key_id);
    judge_json_put_time(w, "created_at", row->created_at);
    judge_json_put_time(w, "updated_at", row->updated_at);
}


/* Answers unless the operation has succeeded. */

static bool
judge_people_done(judge_req_t *r, const judge_op_t *op, int64_t conflict)
{
    if (op->rc == JUDGE_STALE) {
        judge_fail(r, 400, "api_key_id: there is no such API key");

    } else if (op->rc == JUDGE_CONFLICT) {
        judge_fail(r, 409, "%s", judge_people_conflicts[conflict]);

    } else if (op->rc == JUDGE_NOT_FOUND) {
        judge_fail(r, 404, "there is no such person");

    } else if (judge_check(r, op->rc, NULL)) {
        return true;
    }

    return false;
}


/* An address has text on both sides of one "@", and no blanks; it is stored in
 * lower case, so that it is unique. false: the request has been answered. */

static bool
judge_people_address(judge_req_t *r, judge_str_t *address)
{
    char    *copy;
    size_t   i, at, ats;

    if (address->data == NULL) {
        return true;
    }

    copy = judge_alloc(r->arena, address->len);
    if (copy == NULL) {
        return judge_fail_rc(r, JUDGE_NOMEM);
    }

    for (i = 0, at = 0, ats = 0; i < address->len; i++) {
        copy[i] = address->data[i];

        if (copy[i] >= 'A' && copy[i] <= 'Z') {
            copy[i] = (char) (copy[i] | 0x20);
        }

        if (copy[i] == '@') {
            at = i;
            ats++;
        }

        if ((unsigned char) copy[i] <= ' ' || copy[i] == 0x7f) {
            ats = 0;
            break;
        }
    }

    if (ats != 1 || at == 0 || at + 1 == address->len) {
        return judge_fail(r, 400, "address: expected an e-mail address");
    }

    address->data = copy;

    return true;
}


/* --- Making -------------------------------------------------------------- */

static judge_rc_e
judge_people_make_key(judge_req_t *r, uint64_t permissions)
{
    judge_rc_e              rc;
    judge_people_create_t  *c = r->ctx;
    judge_key_row_t        *key = &c->create.key;

    c->key = judge_api_key_make(r->arena);
    if (c->key.data == NULL) {
        return JUDGE_ERROR;
    }

    rc = judge_sha256(c->key, c->hash);
    rc = rc ? rc : judge_id_make(&c->key_id, "key", c->create.row.created_at);

    key->id = judge_id_str(&c->key_id);
    key->hash = (judge_str_t) { JUDGE_SHA256_LEN, (const char *) c->hash };
    key->name = c->create.row.name;
    key->status = JUDGE_STR("active");
    key->permissions = permissions;
    key->created_at = c->create.row.created_at;
    c->create.row.key_id = key->id;

    return rc;
}


/* A person with neither a login nor a key gets a key.  As with API keys, the
 * response stored for an Idempotency-Key does not contain the key. */

static bool
judge_people_create(judge_req_t *r)
{
    uint64_t                permissions;
    judge_rc_e              rc;
    judge_people_create_t  *c = r->ctx;
    judge_person_row_t     *row = &c->create.row;

    permissions = judge_role_permissions(row->role);

    if (!judge_people_address(r, &row->address)
        || !judge_auth_may_grant(r, permissions))
    {
        return false;
    }

    rc = judge_id_make(&c->id, "per", row->created_at);
    if (rc == JUDGE_OK && row->login.data == NULL
        && row->key_id.data == NULL)
    {
        rc = judge_people_make_key(r, permissions);
    }

    row->id = judge_id_str(&c->id);
    row->updated_at = row->created_at;

    return judge_check(r, rc, NULL);
}


static void
judge_people_created(judge_req_t *r)
{
    judge_json_writer_t    *w;
    judge_people_create_t  *c = r->ctx;

    if (c->create.op.rc == JUDGE_NOT_FOUND) {
        c->create.op.rc = JUDGE_STALE;
    }

    if (judge_people_done(r, &c->create.op, c->create.conflict)) {
        w = judge_reply_begin(r, 201);
        judge_people_record(r, w, &c->create.row);
        judge_json_put_str(w, "api_key", c->key);
        judge_reply_end(r);
    }
}


static void
judge_people_reread(judge_req_t *r)
{
    judge_people_create_t  *c = r->ctx;

    judge_people_record(r, judge_reply_begin(r, 201), &c->find.row);
    judge_reply_end(r);
}


static void
judge_people_replayed(judge_req_t *r)
{
    judge_people_create_t  *c = r->ctx;

    c->find.op.kind = JUDGE_OP_PERSON_FIND;
    c->find.id = judge_reply_id(r);
    judge_await_found(r, &c->find.op, "the person has been removed",
                      judge_people_reread);
}


/* --- Changing ------------------------------------------------------------ */

static bool
judge_people_update(judge_req_t *r)
{
    judge_people_update_t  *c = r->ctx;

    return judge_people_address(r, &c->update.row.address);
}


/* To give a person a role, or a login or key to act by, the requester needs
 * all permissions of the role. */

static void
judge_people_update_found(judge_req_t *r)
{
    judge_people_update_t  *c = r->ctx;
    judge_person_row_t     *row = &c->update.row;

    if ((row->role.data || row->login.data || row->key_id.data)
        && !judge_auth_may_grant(r, judge_role_permissions(row->role.data
                                        ? row->role : c->find.row.role)))
    {
        return;
    }

    if (row->role.data) {
        c->update.before = judge_role_permissions(c->find.row.role);
        c->update.after = judge_role_permissions(row->role);
    }

    row->id = r->params[0];
    c->update.now = judge_now(r->service);
    c->update.op.kind = JUDGE_OP_PERSON_UPDATE;
    r->committed = judge_auth_changed;
    judge_await(r, &c->update.op, judge_people_updated);
}


static void
judge_people_updated(judge_req_t *r)
{
    judge_people_update_t  *c = r->ctx;

    if (judge_people_done(r, &c->update.op, c->update.conflict)) {
        judge_people_record(r, judge_reply_begin(r, 200), &c->update.row);
        judge_reply_end(r);
    }
}


/* --- Removing ------------------------------------------------------------ */

static void
judge_people_deleted(judge_req_t *r)
{
    judge_person_delete_t  *c = r->ctx;

    if (judge_people_done(r, &c->op, c->conflict)) {
        judge_reply_empty(r, 204);
    }
}


/* --- Who makes the request ----------------------------------------------- */

static void
judge_people_me(judge_req_t *r)
{
    judge_person_find_t  *c = r->ctx;

    if (r->person.data == NULL) {
        judge_people_me_found(r);
        return;
    }

    c->op.kind = JUDGE_OP_PERSON_FIND;
    c->id = r->person;
    judge_await(r, &c->op, judge_people_me_found);
}


static void
judge_people_me_found(judge_req_t *r)
{
    judge_json_writer_t  *w;
    judge_person_find_t  *c = r->ctx;

    if (r->person.data && !judge_people_done(r, &c->op, 0)) {
        return;
    }

    w = judge_reply_begin(r, 200);

    if (r->person.data) {
        judge_json_key_object(w, "person");
        judge_people_record(r, w, &c->row);
        judge_json_object_end(w);
    }

    if (!judge_str_eq(r->key_id, r->person)) {
        judge_json_put_str(w, "api_key_id", r->key_id);
    }

    judge_json_key(w, "permissions");
    judge_permissions_write(w, r->permissions);
    judge_reply_end(r);
}
