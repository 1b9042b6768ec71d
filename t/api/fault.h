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

/*
 * What src/ allocates: each call of malloc() and of an arena, whether or not
 * that takes memory.  The n-th that counts fails; t_memory_disarm() tells
 * whether one has.  Only what the harness runs counts, not what it does
 * itself; t_memory_count() gives what was set before.
 */
void t_memory_arm(unsigned n);
bool t_memory_disarm(void);
bool t_memory_count(bool on);


#endif /* JUDGE_T_FAULT_H */
