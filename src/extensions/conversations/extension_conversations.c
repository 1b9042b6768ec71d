/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/conversations/conversations.h"


static const judge_route_t *const  judge_conversations_routes[] = {
    judge_traces_routes,
    NULL
};

const judge_extension_t  judge_extension_conversations = {
    .name = "conversations",
    .routes = judge_conversations_routes,
    .conversation = judge_messages_read
};
