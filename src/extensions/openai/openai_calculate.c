/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * It is computed while it is read, by descent:
 *
 *   sum      product { (+|-) product }
 *   product  sign { (*|/) sign }
 *   sign     [+|-] sign | power
 *   power    atom [ ^ sign ]
 *   atom     number | name | function "(" sum { "," sum } ")" | "(" sum ")"
 */


#include <math.h>

#include "base/text/ascii.h"
#include "base/text/number.h"
#include "extensions/openai/openai_calculate.h"


#define JUDGE_OPENAI_NESTED  50        /* parentheses, functions and signs */

typedef enum {
    JUDGE_OPENAI_MIN, JUDGE_OPENAI_MAX, JUDGE_OPENAI_ABS, JUDGE_OPENAI_FLOOR,
    JUDGE_OPENAI_CEIL, JUDGE_OPENAI_EXP, JUDGE_OPENAI_SQRT, JUDGE_OPENAI_LOG,
    JUDGE_OPENAI_FUNCTIONS
} judge_openai_function_e;

typedef struct {
    const char              *p;
    const char              *end;
    const judge_str_t       *names;
    const double            *values;
    size_t                   n;
    unsigned                 depth;
    judge_openai_formula_e   fault;    /* the first one */
    const char              *error;
} judge_openai_calc_t;


static double judge_openai_calc_sum(judge_openai_calc_t *c);


static const char *const  judge_openai_functions[JUDGE_OPENAI_FUNCTIONS] = {
    "min", "max", "abs", "floor", "ceil", "exp", "sqrt", "log"
};


static double
judge_openai_calc_fail(judge_openai_calc_t *c, judge_openai_formula_e fault,
    const char *error)
{
    if (c->fault == JUDGE_OPENAI_FORMULA_FINE) {
        c->fault = fault;
        c->error = error;
    }

    c->p = c->end;

    return 0;
}


static void
judge_openai_calc_blanks(judge_openai_calc_t *c)
{
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\t' || *c->p == '\n'
                             || *c->p == '\r'))
    {
        c->p++;
    }
}


/* Whether that character comes next; it is read then. */

static bool
judge_openai_calc_next(judge_openai_calc_t *c, char wanted)
{
    judge_openai_calc_blanks(c);

    if (c->p == c->end || *c->p != wanted) {
        return false;
    }

    c->p++;

    return true;
}


/* A result that is no number stays one if only names and signs are checked. */

static double
judge_openai_calc_finite(judge_openai_calc_t *c, double v)
{
    if (isfinite(v)) {
        return v;
    }

    return c->values
           ? judge_openai_calc_fail(c, JUDGE_OPENAI_FORMULA_VALUE,
                                    "it has no finite value, because it"
                                    " divides by 0, or leaves what a function"
                                    " is defined for")
           : 1;
}


static double
judge_openai_calc_apply(judge_openai_calc_t *c, judge_openai_function_e f,
    double v)
{
    switch (f) {

    case JUDGE_OPENAI_ABS:
        return fabs(v);

    case JUDGE_OPENAI_FLOOR:
        return floor(v);

    case JUDGE_OPENAI_CEIL:
        return ceil(v);

    case JUDGE_OPENAI_EXP:
        return judge_openai_calc_finite(c, exp(v));

    case JUDGE_OPENAI_SQRT:
        return judge_openai_calc_finite(c, sqrt(v));

    default:
        return judge_openai_calc_finite(c, log(v));
    }
}


static double
judge_openai_calc_call(judge_openai_calc_t *c, judge_openai_function_e f)
{
    bool    many = f == JUDGE_OPENAI_MIN || f == JUDGE_OPENAI_MAX;
    double  v, next;

    v = judge_openai_calc_sum(c);

    if (!many) {
        v = judge_openai_calc_apply(c, f, v);
    }

    while (many && judge_openai_calc_next(c, ',')) {
        next = judge_openai_calc_sum(c);
        v = f == JUDGE_OPENAI_MIN ? fmin(v, next) : fmax(v, next);
    }

    return judge_openai_calc_next(c, ')') ? v
           : judge_openai_calc_fail(c, JUDGE_OPENAI_FORMULA_MALFORMED,
                                    "expected a closing parenthesis behind"
                                    " what a function takes");
}


static double
judge_openai_calc_name(judge_openai_calc_t *c)
{
    size_t       i;
    judge_str_t  name = { 0, c->p };

    while (c->p < c->end && (judge_ascii_letter(*c->p) || *c->p == '_'
                             || judge_ascii_digit(*c->p)
                             || (unsigned char) *c->p >= 0x80))
    {
        c->p++;
        name.len++;
    }

    i = judge_str_index(c->names, c->n, name);
    if (i < c->n) {
        return c->values ? c->values[i] : 1;
    }

    for (i = 0; i < JUDGE_OPENAI_FUNCTIONS; i++) {
        if (judge_str_eq_c(name, judge_openai_functions[i])
            && judge_openai_calc_next(c, '('))
        {
            return judge_openai_calc_call(c, (judge_openai_function_e) i);
        }
    }

    return judge_openai_calc_fail(c, JUDGE_OPENAI_FORMULA_NAME, "expected the"
               " names of its graders, and the functions min, max, abs, floor,"
               " ceil, exp, sqrt and log");
}


static double
judge_openai_calc_number(judge_openai_calc_t *c)
{
    double       v;
    judge_str_t  s = { 0, c->p };

    while (c->p < c->end && (judge_ascii_digit(*c->p) || *c->p == '.')) {
        c->p++;
        s.len++;
    }

    return judge_number_parse(s, &v) == JUDGE_OK ? v
           : judge_openai_calc_fail(c, JUDGE_OPENAI_FORMULA_MALFORMED,
                                    "expected numbers such as 2 or 0.5");
}


static double
judge_openai_calc_atom(judge_openai_calc_t *c)
{
    double  v;

    judge_openai_calc_blanks(c);

    if (judge_openai_calc_next(c, '(')) {
        v = judge_openai_calc_sum(c);
        return judge_openai_calc_next(c, ')') ? v
               : judge_openai_calc_fail(c, JUDGE_OPENAI_FORMULA_MALFORMED,
                                        "expected a closing parenthesis");
    }

    if (c->p == c->end) {
        return judge_openai_calc_fail(c, JUDGE_OPENAI_FORMULA_MALFORMED,
                                      "expected a value at its end");
    }

    if (judge_ascii_digit(*c->p)) {
        return judge_openai_calc_number(c);
    }

    return judge_ascii_letter(*c->p) || *c->p == '_'
           || (unsigned char) *c->p >= 0x80
           ? judge_openai_calc_name(c)
           : judge_openai_calc_fail(c, JUDGE_OPENAI_FORMULA_MALFORMED,
                                    "expected a name, a number or a"
                                    " parenthesis");
}


/* All recursion passes here. */

static double
judge_openai_calc_sign(judge_openai_calc_t *c)
{
    double  v;

    if (c->depth == JUDGE_OPENAI_NESTED) {
        return judge_openai_calc_fail(c, JUDGE_OPENAI_FORMULA_MALFORMED,
                                      "it is nested too deeply");
    }

    c->depth++;

    if (judge_openai_calc_next(c, '-')) {
        v = -judge_openai_calc_sign(c);

    } else if (judge_openai_calc_next(c, '+')) {
        v = judge_openai_calc_sign(c);

    } else {
        v = judge_openai_calc_atom(c);

        if (judge_openai_calc_next(c, '^')) {
            v = judge_openai_calc_finite(c, pow(v,
                                                judge_openai_calc_sign(c)));
        }
    }

    c->depth--;

    return v;
}


static double
judge_openai_calc_product(judge_openai_calc_t *c)
{
    double  v;

    v = judge_openai_calc_sign(c);

    for ( ;; ) {
        if (judge_openai_calc_next(c, '*')) {
            v = judge_openai_calc_finite(c, v * judge_openai_calc_sign(c));
        } else if (judge_openai_calc_next(c, '/')) {
            v = judge_openai_calc_finite(c, v / judge_openai_calc_sign(c));
        } else {
            return v;
        }
    }
}


static double
judge_openai_calc_sum(judge_openai_calc_t *c)
{
    double  v;

    v = judge_openai_calc_product(c);

    for ( ;; ) {
        if (judge_openai_calc_next(c, '+')) {
            v = judge_openai_calc_finite(c, v + judge_openai_calc_product(c));
        } else if (judge_openai_calc_next(c, '-')) {
            v = judge_openai_calc_finite(c, v - judge_openai_calc_product(c));
        } else {
            return v;
        }
    }
}


judge_openai_formula_e
judge_openai_calculate(judge_str_t formula, const judge_str_t *names,
    const double *values, size_t n, double *out, const char **error)
{
    judge_openai_calc_t  c = {
        .p = formula.data, .end = formula.data + formula.len, .names = names,
        .values = values, .n = n
    };

    if (formula.len > JUDGE_OPENAI_FORMULA) {
        *error = "it is too long";
        return JUDGE_OPENAI_FORMULA_MALFORMED;
    }

    *out = judge_openai_calc_sum(&c);
    judge_openai_calc_blanks(&c);

    if (c.p < c.end) {
        (void) judge_openai_calc_fail(&c, JUDGE_OPENAI_FORMULA_MALFORMED,
                                      "expected an operator between values");
    }

    *error = c.error;

    return c.fault;
}
