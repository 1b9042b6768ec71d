/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Each worker has a socket to which the others send an empty datagram.  Its
 * address is in the zone, so that workers from before and after a reload reach
 * each other.  The kernel chooses the address (unix(7), autobind), which is no
 * file.  If that fails or a datagram is lost, the next tick compares the
 * counters.  A datagram from any other process does no harm.
 */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_idle.h"
#include "ngx/ngx_http_judge_zone.h"
#include "work/evaluation/waiters.h"


void
ngx_http_judge_wake(void *data)
{
    ssize_t                    sent;
    socklen_t                  len;
    ngx_uint_t                 i;
    ngx_http_judge_slot_t     *slot;
    ngx_http_judge_service_t  *js = data;
    ngx_http_judge_shared_t   *shared = js->zone->data;

    if (js->waking == NULL) {
        return;
    }

    for (i = 0; i < shared->used; i++) {
        slot = &shared->slots[i];
        len = (socklen_t) slot->address_len;

        if (i == js->slot || len == 0
            || !ngx_atomic_cmp_set(&slot->woken, 0, 1))
        {
            continue;
        }

        sent = sendto(js->waking->fd, "", 0, MSG_DONTWAIT | MSG_NOSIGNAL,
                      (struct sockaddr *) &slot->address, len);
        if (sent == -1) {
            slot->woken = 0;
        }
    }
}


void
ngx_http_judge_wake_clear(ngx_http_judge_service_t *js)
{
    ngx_http_judge_shared_t  *shared = js->zone->data;

    if (js->slot < shared->used) {
        shared->slots[js->slot].woken = 0;
    }
}


static void
ngx_http_judge_woken(ngx_event_t *ev)
{
    u_char             byte;
    ngx_connection_t  *c = ev->data;

    while (recv(c->fd, &byte, 1, MSG_DONTWAIT) != -1) { /* void */ }

    ngx_http_judge_wake_clear(c->data);
    ngx_http_judge_idle_end(c->data);
    judge_waiters_tick(&((ngx_http_judge_service_t *) c->data)->service);
    ngx_http_judge_listen_notify(c->data);
}


void
ngx_http_judge_wake_open(ngx_http_judge_service_t *js)
{
#if (NGX_LINUX)
    int                       fd;
    socklen_t                 len;
    ngx_http_judge_slot_t    *slot;
    ngx_http_judge_shared_t  *shared = js->zone->data;

    slot = shared->slots + js->slot;

    fd = js->slot < shared->used ? socket(AF_UNIX, SOCK_DGRAM, 0) : -1;
    if (fd == -1) {
        return;
    }

    len = sizeof(slot->address);
    slot->address.sun_family = AF_UNIX;

    if (bind(fd, (struct sockaddr *) &slot->address, sizeof(sa_family_t)) == -1
        || getsockname(fd, (struct sockaddr *) &slot->address, &len) == -1)
    {
        (void) close(fd);
        return;
    }

    js->waking = ngx_http_judge_watch(js, fd, ngx_http_judge_woken);
    slot->address_len = js->waking ? len : 0;
#endif
}


void
ngx_http_judge_wake_close(ngx_http_judge_service_t *js)
{
    ngx_http_judge_shared_t  *shared = js->zone->data;

    if (js->waking) {
        if (js->slot < shared->used) {
            shared->slots[js->slot].address_len = 0;
        }
        ngx_close_connection(js->waking);
        js->waking = NULL;
    }
}
