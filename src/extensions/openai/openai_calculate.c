/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Computes the formula of a multi grader while it is parsed, by the precedence
 * of operators. */


#include <math.h>

#include "base/text/ascii.h"
#include "base/text/number.h"
#include "extensions/openai/openai_grader.h"


#define JUDGE_OPENAI_NESTED  200       /* nested parentheses, functions,
                                          operators */
#define JUDGE_OPENAI_SIGN    3         /* binds between two of these: */

static const struct {
    char  name;
    int   binds;
    int   right;                       /* precedence of its right operand */
} judge_openai_operators[] = {
    { '+', 1, 2 }, { '-', 1, 2 }, { '*', 2, 3 }, { '/', 2, 3 }, { '^', 4, 4 },
    { '\0', 0, 0 }
};

static const struct {
    const char  *name;
    double     (*of_one)(double v);
    double     (*of_many)(double a, double b);
} judge_openai_functions[] = {
    { "min", NULL, fmin }, { "max", NULL, fmax }, { "abs", fabs, NULL },
    { "floor", floor, NULL }, { "ceil", ceil, NULL }, { "exp", exp, NULL },
    { "sqrt", sqrt, NULL }, { "log", log, NULL }, { NULL, NULL, NULL }
};

typedef struct {
    const char         *p;
    const char         *end;
    const judge_str_t  *names;
    const double       *values;
    size_t              n;
    unsigned            depth;
    const char         *error;         /* the first one */
} judge_openai_calc_t;


static double judge_openai_calc_value(judge_openai_calc_t *c, int binds);


static double
judge_openai_calc_fail(judge_openai_calc_t *c, const char *error)
{
    c->error = c->error ? c->error : error;
    c->p = c->end;

    return 0;
}


/* Reads a character, and blanks before it, if it comes next. */

static bool
judge_openai_calc_next(judge_openai_calc_t *c, char wanted)
{
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\t' || *c->p == '\n'
                             || *c->p == '\r'))
    {
        c->p++;
    }

    if (c->p == c->end || *c->p != wanted) {
        return false;
    }

    c->p++;

    return true;
}


/* Computes the rest of a parenthesis; for a function of many arguments, values
 * between commas. */

static double
judge_openai_calc_inside(judge_openai_calc_t *c,
    double (*of_many)(double a, double b))
{
    double  v;

    v = judge_openai_calc_value(c, 0);

    while (of_many && judge_openai_calc_next(c, ',')) {
        v = of_many(v, judge_openai_calc_value(c, 0));
    }

    return judge_openai_calc_next(c, ')')
           ? v : judge_openai_calc_fail(c, "expected a closing parenthesis");
}


/* Computes a name, a number, a function or a parenthesis. */

static double
judge_openai_calc_atom(judge_openai_calc_t *c)
{
    double       v;
    size_t       i;
    judge_str_t  word = { 0, NULL };

    if (judge_openai_calc_next(c, '(')) {
        return judge_openai_calc_inside(c, NULL);
    }

    for (word.data = c->p; c->p < c->end; c->p++, word.len++) {
        if (!judge_ascii_letter(*c->p) && !judge_ascii_digit(*c->p)
            && *c->p != '_' && *c->p != '.' && (unsigned char) *c->p < 0x80)
        {
            break;
        }
    }

    i = judge_str_index(c->names, c->n, word);
    if (i < c->n) {
        return c->values ? c->values[i] : 1;
    }

    if (judge_number_parse(word, &v) == JUDGE_OK) {
        return v;
    }

    for (i = 0; judge_openai_functions[i].name; i++) {
        if (judge_str_eq_c(word, judge_openai_functions[i].name)
            && judge_openai_calc_next(c, '('))
        {
            v = judge_openai_calc_inside(c, judge_openai_functions[i].of_many);
            return judge_openai_functions[i].of_one
                   ? judge_openai_functions[i].of_one(v) : v;
        }
    }

    return judge_openai_calc_fail(c, "expected a name, a parenthesis, or a"
               " number such as 2 or 0.5; there are the names of its graders,"
               " and the functions min, max, abs, floor, ceil, exp, sqrt and"
               " log");
}


static double
judge_openai_calc_apply(char operator, double a, double b)
{
    return operator == '+' ? a + b : operator == '-' ? a - b
           : operator == '*' ? a * b : operator == '/' ? a / b : pow(a, b);
}


/* All recursion passes this function, which bounds it.  While names and signs
 * are checked only, a result that is not a number becomes one. */

static double
judge_openai_calc_value(judge_openai_calc_t *c, int binds)
{
    size_t  i;
    double  v;

    if (++c->depth > JUDGE_OPENAI_NESTED) {
        return judge_openai_calc_fail(c, "it is nested too deeply");
    }

    v = judge_openai_calc_next(c, '-')
        ? -judge_openai_calc_value(c, JUDGE_OPENAI_SIGN)
        : judge_openai_calc_next(c, '+')
          ? judge_openai_calc_value(c, JUDGE_OPENAI_SIGN)
          : judge_openai_calc_atom(c);

    for (i = 0; judge_openai_operators[i].name; /* void */ ) {
        if (judge_openai_operators[i].binds >= binds
            && judge_openai_calc_next(c, judge_openai_operators[i].name))
        {
            v = judge_openai_calc_apply(judge_openai_operators[i].name, v,
                    judge_openai_calc_value(c,
                        judge_openai_operators[i].right));
            i = 0;
        } else {
            i++;
        }

        if (!isfinite(v)) {
            v = c->values == NULL ? 1
                : judge_openai_calc_fail(c, "it has no finite value, because"
                      " it divides by 0, or leaves what a function is defined"
                      " for");
        }
    }

    c->depth--;

    return v;
}


const char *
judge_openai_calculate(judge_str_t formula, const judge_str_t *names,
    const double *values, size_t n, double *out)
{
    judge_openai_calc_t  c = {
        .p = formula.data, .end = formula.data + formula.len, .names = names,
        .values = values, .n = n
    };

    if (formula.len > JUDGE_OPENAI_FORMULA) {
        return "it is too long";
    }

    *out = judge_openai_calc_value(&c, 0);

    return c.p == c.end ? c.error : "expected an operator between values";
}
