/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/service/call.h"


const char *
judge_call_outcome(judge_call_outcome_e outcome)
{
    static const char *const  sentences[] = {
        [JUDGE_CALL_OK] = "it answered",
        [JUDGE_CALL_UNCONFIGURED] = "nginx.conf has no location for it",
        [JUDGE_CALL_INVALID] = "the URL can't be read",
        [JUDGE_CALL_UNRESOLVED] = "the host has no address",
        [JUDGE_CALL_FORBIDDEN] = "an address of the host is not public",
        [JUDGE_CALL_REFUSED] = "no connection could be made, or TLS failed",
        [JUDGE_CALL_TIMEOUT] = "it did not answer in time",
        [JUDGE_CALL_CUT] = "the answer broke off",
        [JUDGE_CALL_GARBLED] = "the answer is not HTTP",
        [JUDGE_CALL_TOO_LARGE] = "the answer is too large",
        [JUDGE_CALL_STOPPED] = "the server was restarted",
        [JUDGE_CALL_FAULT] = "the service could not call it",
    };

    return sentences[outcome];
}
