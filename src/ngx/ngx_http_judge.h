/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Definitions for all files of src/ngx: a service, by its configuration and
 * its state in a worker process. */


#ifndef NGX_HTTP_JUDGE_H
#define NGX_HTTP_JUDGE_H


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "api/http/request.h"


typedef struct ngx_http_judge_executor  ngx_http_judge_executor_t;
typedef struct ngx_http_judge_shared    ngx_http_judge_shared_t;
typedef struct ngx_http_judge_nodes     ngx_http_judge_nodes_t;

/* The place of a directive, for errors that need the whole configuration. */
typedef struct {
    u_char                     *file;
    ngx_uint_t                  line;
} ngx_http_judge_place_t;

/* One judge_store line; allocated in the cycle's pool. */
typedef struct {
    ngx_str_t                   name;
    ngx_str_t                   store;     /* the directory, or an address */
    ngx_str_t                   folder;    /* files=, if store is an address */
    ngx_path_t                 *directory;
    ngx_path_t                 *files;     /* in that directory or folder */
    ngx_shm_zone_t             *zone;
    ssize_t                     zone_size;
    judge_settings_t            settings;
    ngx_array_t                 outlets;   /* of ngx_http_judge_outlet_t */
    ngx_array_t                 models;    /* of judge_llm_t */

    /* Set in each worker process. */
    judge_service_t             service;
    ngx_http_judge_executor_t  *executor;
    ngx_event_t                 tick;
    u_char                      secret[32];
    u_char                      stored[32];  /* buffer to read the secret to */
    judge_task_t                finding;   /* opens the store */
    judge_task_t                closing;   /* closes a store that was moved */
    ngx_uint_t                  slot;      /* number in the zone */
    ngx_connection_t           *waking;    /* socket for other workers */
    ngx_http_judge_nodes_t     *nodes;     /* of the fleet; NULL: no fleet */
    ngx_msec_t                  try_at;    /* next try to open the store */
    ngx_msec_t                  swept_at;  /* last sweep for dead workers */
    ngx_uint_t                  requests;  /* number under way */
    ngx_uint_t                  begun;     /* number since load_checked_at */
    ngx_msec_t                  load_checked_at; /* last count of `begun` */
    ngx_msec_t                  trimmed_at;      /* when freed memory was given
                                              back */
    ngx_msec_t                  ticked_at; /* last tick that looked for work */
    ngx_msec_t                  active_at; /* the last tick with work */
    judge_data_version_t        store_version; /* at the last tick */
    ngx_uint_t                  begun_before;    /* `begun` at the last tick */
    judge_ms_t                  due_at;    /* of the earliest queued row; 0:
                                              there is none */
    ngx_msec_t                  asked_at;  /* when `due_at` was read */
    ngx_connection_t           *watch;     /* of inotify; NULL: none */
    u_char                     *log_path;
    ngx_queue_t                 unread;    /* of ngx_http_judge_ctx_t: large
                                              answers under way */
    ngx_queue_t                 calls;     /* outgoing calls under way */
    ngx_msec_t                  exiting_since; /* when the exiting worker began
                                              to wait for calls; 0: it does not
                                              exit */
    bool                        found;     /* result of `finding` */
    unsigned                    searching:1;
    unsigned                    open:1;    /* there is an executor */
    unsigned                    idle:1;    /* ticks are skipped */
    unsigned                    asking:1;  /* `due_at` is being read */
    unsigned                    due_known:1;
    unsigned                    watching:1;  /* a write to the log will end the
                                              idle time */
} ngx_http_judge_service_t;

typedef struct {
    ngx_array_t                 services;  /* of ngx_http_judge_service_t * */
    ngx_array_t                 locations; /* of ngx_http_conf_ctx_t *: those
                                              with `judge` */
    ngx_array_t                 outlets;   /* of ngx_http_judge_outlet_t */
    void                      (*set_login)(ngx_http_request_t *r,
                                     judge_req_t *req);  /* sets req->login;
                                              of an extension; NULL: none */
    ngx_flag_t                  tuning;    /* of malloc and of the scheduler,
                                              for the whole process */
} ngx_http_judge_main_conf_t;

#define NGX_HTTP_JUDGE_PAGES  8        /* extensions in one location */

/* Writes the members of an error. */
typedef void (*ngx_http_judge_problem_pt)(judge_json_writer_t *w, int status,
    judge_str_t sentence);

/* Pages of an extension.  answer() gets the path relative to the location, and
 * returns NGX_DECLINED if no page has that path. */
typedef struct {
    ngx_str_t                   prefix;    /* of their paths */
    ngx_int_t                 (*answer)(ngx_http_request_t *r,
                                        ngx_str_t *path);
    ngx_http_judge_problem_pt   problem;   /* NULL: "detail" */
    judge_routes_pt             routes;    /* that answer without answer() */
} ngx_http_judge_pages_t;

typedef struct {
    ngx_command_t                 *directive;
    const ngx_http_judge_pages_t  *pages;  /* NULL: off */
} ngx_http_judge_paged_t;

typedef struct {
    ngx_str_t                   wanted;    /* the name that `judge` sets */
    ngx_http_judge_service_t   *service;   /* NULL: off */
    ngx_http_core_loc_conf_t   *location;  /* the one with `judge` */
    ngx_http_judge_place_t      place;
    bool                        judged;    /* it has or inherits `judge` */
    bool                        errors;    /* nginx's own errors as JSON */
    ngx_http_judge_paged_t      pages[NGX_HTTP_JUDGE_PAGES];
    ngx_uint_t                  npages;
} ngx_http_judge_loc_conf_t;


extern ngx_module_t  ngx_http_judge_module;

/* Open and close the services of a worker process. */
ngx_int_t ngx_http_judge_init_process(ngx_cycle_t *cycle);
void ngx_http_judge_exit_process(ngx_cycle_t *cycle);

/* _wake() wakes the other workers, which then compare the counters of the
 * zone; data is the ngx_http_judge_service_t.  It must be called after every
 * change that waiting requests compare, and may be called in any thread.
 * _wake_open() opens this worker's socket; if that fails, only its tick
 * compares them.  _wake_clear() must precede a comparison, or later changes
 * don't wake. */
void ngx_http_judge_wake(void *data);
void ngx_http_judge_wake_open(ngx_http_judge_service_t *js);
void ngx_http_judge_wake_clear(ngx_http_judge_service_t *js);
void ngx_http_judge_wake_close(ngx_http_judge_service_t *js);

/* Adds a descriptor to the event loop for reading, with the service as the
 * connection's data, and owns it.  NULL: it failed, and fd was closed. */
ngx_connection_t *ngx_http_judge_watch(ngx_http_judge_service_t *js,
    int fd, ngx_event_handler_pt handler);

/* Notifications between the nodes of a fleet.  _listens(): whether this worker
 * sends and receives them, as the first one in the zone.  _notify() sends
 * changes, and must be called on the event loop after any change. */
bool ngx_http_judge_listens(ngx_http_judge_service_t *js);
void ngx_http_judge_listen_open(ngx_http_judge_service_t *js);
void ngx_http_judge_listen_tick(ngx_http_judge_service_t *js);
void ngx_http_judge_listen_notify(ngx_http_judge_service_t *js);
void ngx_http_judge_listen_close(ngx_http_judge_service_t *js);

/* Adds variables; the last of the list has no name. */
ngx_int_t ngx_http_judge_variables_add(ngx_conf_t *cf, ngx_http_variable_t *v);

/* Returns the value of a header; absent: there is none; empty, too, if there
 * are several, of which readers may take different ones. */
judge_str_t ngx_http_judge_header(const ngx_list_t *headers, const char *name);

/* Adds a header to the response, without copying.  NULL: out of memory. */
ngx_table_elt_t *ngx_http_judge_add_header(ngx_http_request_t *r,
    const char *name, judge_str_t value);

/* Sets a directive, on or off, that makes an extension's pages part of a
 * location with `judge`: its `post` points to a ngx_http_judge_pages_t. */
char *ngx_http_judge_pages(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

#define ngx_http_judge_pages_switch(pages)                                    \
    NGX_HTTP_LOC_CONF|NGX_CONF_FLAG, ngx_http_judge_pages,                    \
    NGX_HTTP_LOC_CONF_OFFSET, 0, &pages

/* The module of an extension that has directives, and no configuration of its
 * own. */
#define ngx_http_judge_extension(directives)                                  \
    { NGX_MODULE_V1, .ctx = &ngx_http_judge_extension_ctx,                    \
      .commands = directives, .type = NGX_HTTP_MODULE }

extern ngx_http_module_t  ngx_http_judge_extension_ctx;

/* Serves a request by other routes of an API than the service's; an
 * extension's answer() returns the result.  Handlers get `extra` as
 * req->extra; problem() writes the members of error bodies, unless it is
 * NULL. */
ngx_int_t ngx_http_judge_serve(ngx_http_request_t *r, judge_routes_pt routes,
    void *extra, ngx_http_judge_problem_pt problem);

/* Keeps a worker that shuts down alive until a request has been answered. */
void ngx_http_judge_stay(ngx_http_judge_service_t *js);


#define ngx_http_judge_str(s)  ((judge_str_t) { (s).len, (char *) (s).data })

/* Whether two ngx_str_t are equal; whether one is a literal. */
#define ngx_http_judge_eq(a, b)                                               \
    judge_str_eq(ngx_http_judge_str(*(a)), ngx_http_judge_str(*(b)))
#define ngx_http_judge_is(s, literal)                                         \
    judge_str_eq(ngx_http_judge_str(*(s)), JUDGE_STR(literal))


#endif /* NGX_HTTP_JUDGE_H */
