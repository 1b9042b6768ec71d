/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/core/allowance.h"
#include "base/text/number.h"
#include "base/text/utf8.h"
#include "analysis/llm/prompt.h"
#include "extensions/openai/openai.h"


#define JUDGE_OPENAI_BLANK   " \t\r\n"
#define JUDGE_OPENAI_SHOWN   100       /* bytes of a reference in an error */
#define JUDGE_OPENAI_INDEX   7         /* digits */


judge_rc_e
judge_openai_subject_sample(openai_subject_t *subject,
    const judge_json_t *sample)
{
    judge_rc_e     rc;
    judge_str_t    text = judge_json_string(sample, "output_text");
    judge_json_t  *output, *whole;

    subject->sample = sample;
    if (text.data == NULL || judge_json_get(sample, "output_json")) {
        return JUDGE_OK;
    }

    rc = judge_json_parse(subject->arena, text, &output, NULL);
    if (rc != JUDGE_OK) {
        return rc == JUDGE_INVALID ? JUDGE_OK : rc;
    }

    whole = judge_alloc(subject->arena, sizeof(judge_json_t));
    if (whole == NULL) {
        return JUDGE_NOMEM;
    }

    *whole = *sample;
    whole->first = output;
    output->key = JUDGE_STR("output_json");
    output->next = sample->first;
    subject->sample = whole;

    return JUDGE_OK;
}


static judge_rc_e
judge_openai_template_wrong(const openai_subject_t *subject,
    judge_str_t reference, const char *why, judge_str_t *error)
{
    reference = judge_utf8_prefix(reference, JUDGE_OPENAI_SHOWN);

    return judge_invalid(error, judge_str_printf(subject->arena,
               "{{%.*s}} %s", judge_str_args(reference), why));
}


/* --- References ---------------------------------------------------------- */

/* Takes a name up to the next dot or bracket. */

static judge_str_t
judge_openai_template_name(judge_str_t *path)
{
    judge_str_t  name = { 0, path->data };

    while (name.len < path->len && name.data[name.len] != '\0'
           && strchr(JUDGE_OPENAI_BLANK ".[]'\"(){}|", name.data[name.len])
              == NULL)
    {
        name.len++;
    }

    *path = judge_str_from(*path, name.len);

    return name;
}


static const struct {
    judge_str_t  open;
    judge_str_t  shut;
} judge_openai_brackets[] = {
    { judge_str("['"), judge_str("']") },
    { judge_str("[\""), judge_str("\"]") },
    { judge_str("["), judge_str("]") }           /* of an index */
};


/* Takes .name, ['name'], ["name"] or [7], and goes on to that part of *v; to
 * NULL, if there is none.  false: the path has no such beginning. */

static bool
judge_openai_template_step(judge_str_t *path, const judge_json_t **v)
{
    size_t       i = 0;
    int64_t      index;
    judge_str_t  name;

    if (*path->data == '.') {
        *path = judge_str_from(*path, 1);
        name = judge_openai_template_name(path);
        *v = judge_json_find(*v, name);
        return name.len > 0;
    }

    while (i < 2 && !judge_str_starts(*path, judge_openai_brackets[i].open)) {
        i++;
    }

    if (!judge_str_starts(*path, judge_openai_brackets[i].open)) {
        return false;
    }

    *path = judge_str_from(*path, judge_openai_brackets[i].open.len);
    if (!judge_str_cut(path, judge_openai_brackets[i].shut, &name)) {
        return false;
    }

    if (i < 2) {
        *v = judge_json_find(*v, name);
        return true;
    }

    if (name.len > JUDGE_OPENAI_INDEX
        || judge_integer_parse(name, &index) != JUDGE_OK || index < 0)
    {
        return false;
    }

    *v = *v && (*v)->type == JUDGE_JSON_ARRAY ? (*v)->first : NULL;

    for ( /* void */ ; *v && index > 0; index--) {
        *v = (*v)->next;
    }

    return true;
}


/* Reads a reference, and sets its value, unless it is only checked. */

static judge_rc_e
judge_openai_template_find(const openai_subject_t *subject,
    judge_str_t reference, const judge_json_t **v, judge_str_t *error)
{
    bool         item;
    judge_str_t  path, name;

    path = judge_str_trim(reference, JUDGE_OPENAI_BLANK);
    name = judge_openai_template_name(&path);
    item = judge_str_eq_c(name, "item");

    if (!item && !judge_str_eq_c(name, "sample")) {
        return judge_openai_template_wrong(subject, reference, "is unknown;"
                   " expected item or sample, such as {{item.question}} or"
                   " {{sample.output_text}}", error);
    }

    *v = item ? subject->item : subject->sample;

    while (path.len) {
        if (!judge_openai_template_step(&path, v)) {
            return judge_openai_template_wrong(subject, reference, "can't be"
                       " read; expected names behind dots, or numbers and"
                       " quoted names in brackets", error);
        }
    }

    return *v || (subject->item == NULL && subject->sample == NULL) ? JUDGE_OK
           : judge_openai_template_wrong(subject, reference, item
                                         ? "is not in the item"
                                         : "is not in the sample", error);
}


/* --- Templates ----------------------------------------------------------- */

static judge_rc_e
judge_openai_template_put(judge_buf_t *buf, const judge_json_t *v, bool fenced)
{
    judge_str_t        text;
    judge_delimiter_t  fence;

    text = v->type == JUDGE_JSON_STRING ? v->string
                                        : judge_json_value_text(buf->arena, v);
    if (text.data == NULL) {
        return JUDGE_NOMEM;
    }

    if (!fenced) {
        judge_buf_str(buf, text);
        return JUDGE_OK;
    }

    if (judge_delimiter_make(&fence, &text, 1) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    judge_buf_c(buf, buf->len && buf->data[buf->len - 1] != '\n' ? "\n" : "");
    judge_delimiter_put(buf, &fence, "ITEM", text, NULL);

    return JUDGE_OK;
}


judge_rc_e
judge_openai_template_render(const openai_subject_t *subject, judge_str_t text,
    bool fenced, judge_str_t *out, judge_str_t *error)
{
    bool                 more;
    judge_rc_e           rc;
    judge_buf_t          buf;
    judge_str_t          before, reference;
    const judge_json_t  *v = NULL;

    judge_buf_init(&buf, subject->arena);

    for ( ;; ) {
        more = judge_str_cut(&text, JUDGE_STR("{{"), &before);
        judge_buf_str(&buf, more ? before : text);

        if (buf.len > JUDGE_OPENAI_RENDERED
            || (subject->allowance && buf.len > subject->allowance->bytes))
        {
            return judge_invalid(error, judge_str_printf(subject->arena,
                       "becomes longer than %d bytes, or all templates of the"
                       " item than %d", JUDGE_OPENAI_RENDERED,
                       JUDGE_OPENAI_ITEM));
        }

        if (!more) {
            if (subject->allowance) {
                subject->allowance->bytes -= buf.len;
            }

            *out = judge_buf_view(&buf);
            return out->data ? JUDGE_OK : JUDGE_NOMEM;
        }

        if (!judge_str_cut(&text, JUDGE_STR("}}"), &reference)) {
            return judge_openai_template_wrong(subject, text, "does not end;"
                       " expected two closing brackets", error);
        }

        rc = judge_openai_template_find(subject, reference, &v, error);
        if (rc == JUDGE_OK && v) {
            rc = judge_openai_template_put(&buf, v, fenced);
        }
        if (rc != JUDGE_OK) {
            return rc;
        }
    }
}
