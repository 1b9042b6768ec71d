/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/conversations/conversations.h"


const judge_extension_t  judge_extension_conversations = {
    .name = "conversations",
    .conversation = judge_messages_read
};
