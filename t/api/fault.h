/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Makes calls of SQLite to the operating system fail: from the n-th call of
 * a kind, either that one only or all that follow, too.
 */


#ifndef JUDGE_T_FAULT_H
#define JUDGE_T_FAULT_H


#include <stdbool.h>


typedef enum {
    T_FAULT_READ,
    T_FAULT_WRITE,
    T_FAULT_SYNC,
    T_FAULT_MEMORY,                    /* rc does not matter */
    T_FAULT_KINDS
} t_fault_kind_e;


/* Before anything else uses SQLite. */
void t_fault_install(void);

void t_fault_arm(t_fault_kind_e kind, int rc, unsigned n, bool lasts);

/* Whether any call has failed since it was armed. */
bool t_fault_disarm(void);


#endif /* JUDGE_T_FAULT_H */
