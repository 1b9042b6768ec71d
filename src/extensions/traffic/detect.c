/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Runs detectors over a text, and makes placeholders. */


#include <stdlib.h>
#include <string.h>

#include "analysis/text/language.h"
#include "base/core/hash.h"
#include "base/text/ascii.h"
#include "extensions/traffic/detect.h"


#define JUDGE_DETECT_SLOTS  4096               /* a power of two */


const char *const  judge_detect_actions[] = { "tag", "mask", "block", NULL };

const judge_detector_t  judge_detectors[JUDGE_DETECTORS] = {
    [JUDGE_DETECT_PII] = { "pii", judge_detect_pii, false, 80 },
    [JUDGE_DETECT_SECRETS] = { "secrets", judge_detect_secrets, false, 96 },
    [JUDGE_DETECT_WORDS] = { "words", NULL, true, 0 },
    [JUDGE_DETECT_INSULTS] = { "insults", judge_detect_insults, false, 0 },
    [JUDGE_DETECT_LINKS] = { "links", judge_detect_links, true, 0 },
    [JUDGE_DETECT_ORDERS] = { "orders", judge_detect_orders, false, 256 },
    [JUDGE_DETECT_LEAK] = { "leak", NULL, true, 0 },
    [JUDGE_DETECT_LANGUAGE] = { "language", judge_detect_language, true,
                                JUDGE_DETECT_SPEECH },
    [JUDGE_DETECT_EXPRESSIONS] = { "expressions", judge_detect_expressed, true,
                                   0 }
};


void
judge_detectors_parse(judge_str_t names,
    const judge_detect_expressions_t *known, judge_detect_rule_t *rule)
{
    size_t       i, k;
    judge_str_t  name;

    rule->expressions = known;

    do {
        name = judge_str_until(&names, ',');
        for (i = 0; i < JUDGE_DETECT_EXPRESSIONS
                    && !judge_str_eq_c(name, judge_detectors[i].name); i++)
        {
            /* void */
        }
        for (k = 0; k < known->n
                    && !judge_str_eq_c(name, known->list[k].name); k++)
        {
            /* void */
        }
        if (i == JUDGE_DETECT_EXPRESSIONS && k == known->n) {
            rule->detectors = 0;
            return;
        }
        rule->detectors |= 1u << i;
        if (k < known->n) {
            rule->wanted |= UINT64_C(1) << k;
            rule->width = rule->width > known->list[k].width
                          ? rule->width : known->list[k].width;
        }
    } while (names.len);
}


const char *
judge_detect_rule_hosts(judge_detect_rule_t *rule, judge_str_t list)
{
    char    before = ',';
    size_t  i;

    rule->hosts = list;

    for (i = 0; i < list.len && !strchr(":/*?#@ ", list.data[i])
                && !(before == ',' && list.data[i] == ','); i++)
    {
        before = list.data[i];
    }

    return i == list.len && before != ',' ? NULL
           : "hosts such as example.com,example.org, without scheme, port,"
             " path and *";
}


const char *
judge_detect_rule_languages(judge_detect_rule_t *rule, judge_str_t list)
{
    uint8_t  language;

    do {
        language = judge_language_find(judge_str_until(&list, ','));
        if (language == JUDGE_LANGUAGE_UNKNOWN) {
            return "codes of languages such as en,de";
        }
        rule->languages[language] = true;
        rule->nlanguages++;
    } while (list.len);

    return NULL;
}


const char *
judge_detect_rule_error(const judge_detect_rule_t *rule)
{
    size_t  i;

    const struct {
        judge_detector_e  detector;
        bool              given;
        const char       *expected;
    } needs[] = {
        { JUDGE_DETECT_WORDS, rule->words.n != 0,
          "words=FILE and the detector words, together" },
        { JUDGE_DETECT_LEAK, rule->leak.n != 0,
          "leak=FILE and the detector leak, together" },
        { JUDGE_DETECT_LANGUAGE, rule->nlanguages != 0,
          "languages=CODE and the detector language, together" }
    };

    for (i = 0; i < sizeof(needs) / sizeof(needs[0]) && rule->detectors; i++) {
        if (needs[i].given != (rule->detectors >> needs[i].detector & 1)) {
            return needs[i].expected;
        }
    }

    /* The language of a text has no position that could be masked. */
    return rule->detectors == 0
           ? "detectors, parted by commas: pii, secrets, words, insults,"
             " links, orders, leak, language, or the name of a"
             " judge_detect_expression above"
           : rule->hosts.len && !(rule->detectors >> JUDGE_DETECT_LINKS & 1)
           ? "hosts= with the detector links only"
           : rule->nlanguages && rule->action == JUDGE_DETECT_MASK
           ? "action=block or tag for the detector language" : NULL;
}


/* --- Placeholders -------------------------------------------------------- */

/* Finds the slot of a mask by its original or its placeholder; a free slot
 * holds 0.  The seed keeps clients from choosing texts that share a slot. */

static uint16_t *
judge_detect_slot(const judge_detect_masks_t *m, bool placeholder,
    judge_str_t s)
{
    uint16_t                  *slots;
    uint64_t                   i;
    struct judge_detect_mask  *mask;

    slots = m->slots + (placeholder ? JUDGE_DETECT_SLOTS : 0);
    i = judge_mix(judge_fnv(judge_mix((uintptr_t) m->masks), s.data, s.len));

    while (slots[i &= JUDGE_DETECT_SLOTS - 1]) {
        mask = &m->masks[slots[i] - 1];
        if (judge_str_eq(placeholder ? mask->placeholder : mask->original, s))
        {
            break;
        }
        i++;
    }

    return &slots[i];
}


judge_str_t
judge_detect_mask(judge_detect_masks_t *m, const char *label, judge_str_t text)
{
    size_t                     i, number = 1;
    uint16_t                  *slot;
    struct judge_detect_mask  *mask;

    if (m->slots == NULL) {
        m->masks = judge_array_alloc(m->arena, JUDGE_DETECT_MASKS,
                                     sizeof(*m->masks));
        m->slots = m->masks ? judge_calloc(m->arena, 2 * JUDGE_DETECT_SLOTS
                                                     * sizeof(uint16_t))
                            : NULL;
        if (m->slots == NULL) {
            return (judge_str_t) { 0, NULL };
        }
    }

    slot = judge_detect_slot(m, false, text);
    if (*slot || m->n == JUDGE_DETECT_MASKS) {
        return *slot ? m->masks[*slot - 1].placeholder
                     : (judge_str_t) { 0, NULL };
    }

    for (i = 0; i < m->n; i++) {
        number += strcmp(m->masks[i].label, label) == 0;
    }

    mask = &m->masks[m->n];
    mask->label = label;
    mask->original = judge_str_dup(m->arena, text);
    mask->placeholder = judge_str_printf(m->arena, "[%s_%zu]", label, number);
    if (mask->original.data == NULL || mask->placeholder.data == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    *slot = (uint16_t) ++m->n;
    *judge_detect_slot(m, true, mask->placeholder) = (uint16_t) m->n;

    return mask->placeholder;
}


judge_str_t
judge_detect_unmask(const judge_detect_masks_t *m, judge_str_t s, size_t *len)
{
    size_t  i, at;

    for (i = 1; i < s.len && i < JUDGE_DETECT_PLACEHOLDER
                && (judge_ascii_upper(s.data[i]) || s.data[i] == '_'
                    || judge_ascii_digit(s.data[i])); i++)
    {
        /* void */
    }

    if (m->known == 0 || i >= s.len || s.data[i] != ']') {
        return (judge_str_t) { 0, NULL };
    }

    at = *judge_detect_slot(m, true, (judge_str_t) { i + 1, s.data });
    if (at == 0 || at > m->known) {
        return (judge_str_t) { 0, NULL };
    }

    *len = i + 1;

    return m->masks[at - 1].original;
}


/* --- Finding ------------------------------------------------------------- */

/* Finds placeholders of the request, which are replaced by their originals. */

static void
judge_detect_placeholders(judge_detect_found_t *found, judge_str_t text)
{
    size_t       len;
    const char  *p;
    judge_str_t  rest = text;

    found->rule = NULL;

    while (rest.len && (p = memchr(rest.data, '[', rest.len))) {
        rest = judge_str_from(rest, (size_t) (p - rest.data));
        len = 1;
        if (judge_detect_unmask(found->d->masks, rest, &len).data) {
            judge_detect_hit(found, JUDGE_DETECTORS, NULL,
                             text.len - rest.len, text.len - rest.len + len);
        }
        rest = judge_str_from(rest, len);
    }
}


static int
judge_detect_order(const void *one, const void *other)
{
    const judge_detect_hit_t  *a = one, *b = other;

    return a->begin != b->begin ? (a->begin < b->begin ? -1 : 1)
           : a->end != b->end ? (a->end > b->end ? -1 : 1)
           : (int) a->detector - (int) b->detector;
}


/* Joins overlapping matches. */

static void
judge_detect_join(judge_detect_found_t *found)
{
    size_t               i, n = 0;
    judge_detect_hit_t  *hit, *last;

    for (i = 0; i < found->n; i++) {
        hit = &found->hits[i];
        last = n ? &found->hits[n - 1] : NULL;

        if (last == NULL || hit->begin >= last->end) {
            found->hits[n++] = *hit;
            continue;
        }

        if (hit->rule && (last->rule == NULL
                          || hit->rule->action > last->rule->action))
        {
            last->rule = hit->rule;
            last->detector = hit->detector;
            last->label = hit->label;
        }
        last->end = hit->end > last->end ? hit->end : last->end;
    }

    found->n = n;
}


/* Runs a detector for each rule; if its matches are the same for all rules,
 * only for that with the strongest action. */

static void
judge_detect_run(judge_detect_found_t *found, judge_str_t text,
    judge_detector_e k)
{
    const judge_detect_rule_t  *rule, *strongest = NULL;

    for (rule = found->d->rules; rule; rule = rule->next) {
        if (!judge_detect_wanted(found, rule, k)) {
            continue;
        }
        if (judge_detectors[k].by_rule) {
            found->rule = rule;
            judge_detectors[k].find(found, text);
        } else if (strongest == NULL || rule->action > strongest->action) {
            strongest = rule;
        }
    }

    if (strongest) {
        found->rule = strongest;
        judge_detectors[k].find(found, text);
    }
}


judge_rc_e
judge_detect_find(judge_detect_t *d, judge_str_t text,
    judge_detect_found_t *found)
{
    size_t  k;

    judge_arena_reset(d->scratch);
    *found = (judge_detect_found_t) { .d = d };
    judge_buf_init(&found->bytes, d->scratch);

    judge_detect_words(found, text);
    for (k = 0; k < JUDGE_DETECTORS; k++) {
        if (judge_detectors[k].find) {
            judge_detect_run(found, text, (judge_detector_e) k);
        }
    }

    if (d->restore && d->masks->known) {
        judge_detect_placeholders(found, text);
    }

    if (found->failed) {
        d->failed = true;
        return JUDGE_NOMEM;
    }

    if (found->n > 1) {
        qsort(found->hits, found->n, sizeof(*found->hits), judge_detect_order);
    }

    judge_detect_join(found);

    return JUDGE_OK;
}


judge_str_t
judge_detect_instead(judge_detect_t *d, const judge_detect_hit_t *hit,
    judge_str_t text)
{
    size_t       len;
    judge_str_t  what = { 0, NULL };

    if (hit->rule == NULL) {
        d->masked = true;
        return judge_detect_unmask(d->masks, text, &len);
    }

    if (d->counts[hit->detector][hit->rule->action]++ == 0) {
        d->labels[hit->detector][hit->rule->action] = hit->label;
    }

    if (hit->rule->action == JUDGE_DETECT_BLOCK && d->blocked == NULL) {
        d->blocked = hit->rule;
        d->label = hit->label;
    }

    if (hit->rule->action == JUDGE_DETECT_MASK) {
        what = judge_detect_mask(d->masks, hit->label, text);
        d->failed = d->failed || what.data == NULL;
        d->masked = true;
    }

    return what;
}


bool
judge_detect_text(judge_detect_t *d, judge_str_t text, size_t from,
    judge_buf_t *out)
{
    size_t                i, begin, at = from;
    judge_str_t           match, what;
    judge_detect_hit_t   *hit;
    judge_detect_found_t  found;

    if (from == text.len || judge_detect_find(d, text, &found) != JUDGE_OK) {
        return false;
    }

    for (i = 0; i < found.n; i++) {
        hit = &found.hits[i];
        begin = hit->begin > from ? hit->begin : from;
        if (hit->end <= from) {
            continue;
        }

        match = (judge_str_t) { hit->end - begin, text.data + begin };
        what = judge_detect_instead(d, hit, match);
        if (what.data) {
            judge_buf_append(out, text.data + at, begin - at);
            judge_buf_str(out, what);
            at = hit->end;
        }
    }

    if (at > from) {
        judge_buf_append(out, text.data + at, text.len - at);
    }
    d->failed = d->failed || out->failed;

    return at > from;
}


judge_str_t
judge_detect_counts(const judge_detect_t *d, judge_arena_t *arena)
{
    size_t         i, n;
    judge_buf_t    out;
    const size_t  *counts;

    judge_buf_init(&out, arena);
    for (i = 0; i < JUDGE_DETECTORS; i++) {
        counts = d->counts[i];
        n = counts[JUDGE_DETECT_TAG] + counts[JUDGE_DETECT_MASK]
            + counts[JUDGE_DETECT_BLOCK];
        if (n) {
            judge_buf_printf(&out, "%s%s=%zu", out.len ? "," : "",
                             judge_detectors[i].name, n);
        }
    }

    return out.len ? judge_buf_view(&out) : JUDGE_STR("");
}
