/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The fields of an item, the names that columns of them have, and how surely
 * a name is that of a field.
 */


#include <string.h>

#include "analysis/columns/columns_table.h"


#define JUDGE_MAP_WORDS    8           /* of a column's name */

typedef struct {
    const char  *name;                 /* words in lower case */
    double       scores[JUDGE_COLUMN_FIELDS];
} judge_map_name_t;

typedef struct {
    judge_str_t  words[JUDGE_MAP_WORDS];
    size_t       nwords;
    char         text[64];             /* the words, in lower case */
    size_t       len;
} judge_map_words_t;


const judge_column_field_t  judge_column_fields[JUDGE_COLUMN_FIELDS] = {
    [JUDGE_COLUMN_CONTENT] = { "content", 0, false },
    [JUDGE_COLUMN_TITLE] = { "title", JUDGE_COLUMN_TITLE_MAX, false },
    [JUDGE_COLUMN_DESCRIPTION] = { "description",
                                   JUDGE_COLUMN_DESCRIPTION_MAX, false },
    [JUDGE_COLUMN_CATEGORY] = { "category", 0, true },
    [JUDGE_COLUMN_METADATA] = { "metadata", 0, false },
    [JUDGE_COLUMN_ID] = { "id", 0, true }
};

/* content, title, description, category, metadata, id */

static const judge_map_name_t  judge_map_names[] = {
    { "content",          { 1,    0,    0,    0,    0,    0 } },
    { "text",             { 0.97, 0,    0.2,  0,    0,    0 } },
    { "full text",        { 1,    0,    0,    0,    0,    0 } },
    { "body",             { 0.97, 0,    0.2,  0,    0,    0 } },
    { "article",          { 0.85, 0,    0,    0,    0,    0 } },
    { "post",             { 0.8,  0,    0,    0,    0,    0 } },
    { "message",          { 0.88, 0,    0.2,  0,    0,    0 } },
    { "msg",              { 0.8,  0,    0,    0,    0,    0 } },
    { "comment",          { 0.85, 0,    0.4,  0,    0,    0 } },
    { "comments",         { 0.8,  0,    0.4,  0,    0,    0 } },
    { "review",           { 0.9,  0,    0.2,  0,    0,    0 } },
    { "essay",            { 0.97, 0,    0,    0,    0,    0 } },
    { "answer",           { 0.88, 0,    0,    0,    0,    0 } },
    { "response",         { 0.88, 0,    0,    0,    0,    0 } },
    { "reply",            { 0.85, 0,    0,    0,    0,    0 } },
    { "transcript",       { 0.92, 0,    0,    0,    0,    0 } },
    { "transcription",    { 0.9,  0,    0,    0,    0,    0 } },
    { "story",            { 0.88, 0.1,  0,    0,    0,    0 } },
    { "paragraph",        { 0.85, 0,    0,    0,    0,    0 } },
    { "sentence",         { 0.8,  0,    0,    0,    0,    0 } },
    { "copy",             { 0.75, 0,    0.2,  0,    0,    0 } },
    { "output",           { 0.8,  0,    0,    0,    0,    0 } },
    { "completion",       { 0.85, 0,    0,    0,    0,    0 } },
    { "generated text",   { 1,    0,    0,    0,    0,    0 } },
    { "tweet",            { 0.9,  0,    0,    0,    0,    0 } },
    { "submission",       { 0.85, 0,    0,    0,    0,    0 } },
    { "feedback",         { 0.85, 0,    0.2,  0,    0,    0 } },
    { "verbatim",         { 0.88, 0,    0,    0,    0,    0 } },
    { "remarks",          { 0.7,  0,    0.5,  0,    0,    0 } },
    { "opinion",          { 0.75, 0,    0,    0,    0,    0 } },
    { "document",         { 0.75, 0.1,  0,    0,    0,    0 } },
    { "script",           { 0.75, 0,    0,    0,    0,    0 } },
    { "caption",          { 0.75, 0.4,  0.5,  0,    0,    0 } },
    { "html",             { 0.6,  0,    0,    0,    0,    0 } },
    { "question",         { 0.5,  0.6,  0,    0,    0,    0 } },
    { "prompt",           { 0.45, 0.35, 0,    0,    0.3,  0 } },
    { "title",            { 0,    1,    0,    0,    0,    0 } },
    { "titel",            { 0,    0.9,  0,    0,    0,    0 } },
    { "headline",         { 0,    0.97, 0,    0,    0,    0 } },
    { "heading",          { 0,    0.95, 0,    0,    0,    0 } },
    { "header",           { 0,    0.7,  0,    0,    0,    0 } },
    { "subject",          { 0,    0.92, 0,    0.3,  0,    0 } },
    { "name",             { 0,    0.72, 0,    0,    0,    0 } },
    { "item",             { 0.2,  0.5,  0,    0,    0,    0.2 } },
    { "product",          { 0,    0.6,  0,    0.2,  0,    0 } },
    { "description",      { 0.3,  0,    1,    0,    0,    0 } },
    { "desc",             { 0.3,  0,    0.95, 0,    0,    0 } },
    { "summary",          { 0.35, 0.2,  0.92, 0,    0,    0 } },
    { "abstract",         { 0.5,  0,    0.88, 0,    0,    0 } },
    { "excerpt",          { 0.3,  0,    0.88, 0,    0,    0 } },
    { "overview",         { 0.3,  0,    0.85, 0,    0,    0 } },
    { "synopsis",         { 0.3,  0,    0.9,  0,    0,    0 } },
    { "details",          { 0.4,  0,    0.8,  0,    0.2,  0 } },
    { "subtitle",         { 0,    0.4,  0.75, 0,    0,    0 } },
    { "blurb",            { 0.3,  0,    0.88, 0,    0,    0 } },
    { "teaser",           { 0.2,  0,    0.85, 0,    0,    0 } },
    { "tagline",          { 0,    0.3,  0.7,  0,    0,    0 } },
    { "about",            { 0.2,  0,    0.7,  0,    0,    0 } },
    { "note",             { 0.5,  0,    0.6,  0,    0.2,  0 } },
    { "notes",            { 0.5,  0,    0.65, 0,    0.2,  0 } },
    { "snippet",          { 0.5,  0,    0.7,  0,    0,    0 } },
    { "category",         { 0,    0,    0,    1,    0,    0 } },
    { "categories",       { 0,    0,    0,    0.97, 0,    0 } },
    { "genre",            { 0,    0,    0,    0.95, 0,    0 } },
    { "type",             { 0,    0,    0,    0.82, 0,    0 } },
    { "topic",            { 0,    0.3,  0,    0.85, 0,    0 } },
    { "theme",            { 0,    0.2,  0,    0.8,  0,    0 } },
    { "class",            { 0,    0,    0,    0.75, 0,    0 } },
    { "group",            { 0,    0,    0,    0.7,  0,    0 } },
    { "kind",             { 0,    0,    0,    0.78, 0,    0 } },
    { "section",          { 0,    0.2,  0,    0.8,  0,    0 } },
    { "department",       { 0,    0,    0,    0.8,  0,    0 } },
    { "segment",          { 0,    0,    0,    0.65, 0,    0 } },
    { "label",            { 0,    0.3,  0,    0.78, 0,    0 } },
    { "tag",              { 0,    0,    0,    0.78, 0.3,  0 } },
    { "tags",             { 0,    0,    0,    0.75, 0.4,  0 } },
    { "subcategory",      { 0,    0,    0,    0.7,  0,    0 } },
    { "sentiment",        { 0,    0,    0,    0.55, 0.4,  0 } },
    { "status",           { 0,    0,    0,    0.4,  0.5,  0 } },
    { "metadata",         { 0,    0,    0,    0,    1,    0 } },
    { "meta",             { 0,    0,    0,    0,    0.95, 0 } },
    { "extra",            { 0,    0,    0,    0,    0.85, 0 } },
    { "properties",       { 0,    0,    0,    0,    0.88, 0 } },
    { "attributes",       { 0,    0,    0,    0,    0.88, 0 } },
    { "custom fields",    { 0,    0,    0,    0,    0.85, 0 } },
    { "meta description", { 0,    0,    0.95, 0,    0,    0 } },
    { "meta title",       { 0,    0.85, 0,    0,    0,    0 } },
    { "id",               { 0,    0,    0,    0,    0,    1 } },
    { "identifier",       { 0,    0,    0,    0,    0,    0.98 } },
    { "uuid",             { 0,    0,    0,    0,    0,    0.98 } },
    { "guid",             { 0,    0,    0,    0,    0,    0.98 } },
    { "uid",              { 0,    0,    0,    0,    0,    0.9 } },
    { "sku",              { 0,    0,    0,    0,    0,    0.88 } },
    { "asin",             { 0,    0,    0,    0,    0,    0.88 } },
    { "isbn",             { 0,    0,    0,    0,    0,    0.85 } },
    { "doi",              { 0,    0,    0,    0,    0,    0.8 } },
    { "key",              { 0,    0,    0,    0,    0,    0.7 } },
    { "ref",              { 0,    0,    0,    0,    0,    0.75 } },
    { "reference",        { 0,    0,    0,    0,    0,    0.75 } },
    { "code",             { 0,    0,    0,    0.2,  0,    0.65 } },
    { "number",           { 0,    0,    0,    0,    0,    0.65 } },
    { "nr",               { 0,    0,    0,    0,    0,    0.7 } },
    { "no",               { 0,    0,    0,    0,    0,    0.7 } },
    { "#",                { 0,    0,    0,    0,    0,    0.75 } },
    { "index",            { 0,    0,    0,    0,    0,    0.6 } },
    { "row",              { 0,    0,    0,    0,    0,    0.5 } },
    { "slug",             { 0,    0.1,  0,    0,    0,    0.6 } },
    { "handle",           { 0,    0,    0,    0,    0,    0.55 } },
    { "inhalt",           { 0.95, 0,    0,    0,    0,    0 } },
    { "texte",            { 0.95, 0,    0,    0,    0,    0 } },
    { "texto",            { 0.95, 0,    0,    0,    0,    0 } },
    { "contenu",          { 0.95, 0,    0,    0,    0,    0 } },
    { "contenido",        { 0.95, 0,    0,    0,    0,    0 } },
    { "kommentar",        { 0.85, 0,    0.3,  0,    0,    0 } },
    { "commentaire",      { 0.85, 0,    0.3,  0,    0,    0 } },
    { "titre",            { 0,    0.95, 0,    0,    0,    0 } },
    { "titulo",           { 0,    0.95, 0,    0,    0,    0 } },
    { "t\xc3\xadtulo",    { 0,    0.95, 0,    0,    0,    0 } },
    { "betreff",          { 0,    0.9,  0,    0,    0,    0 } },
    { "beschreibung",     { 0.3,  0,    0.95, 0,    0,    0 } },
    { "descripcion",      { 0.3,  0,    0.95, 0,    0,    0 } },
    { "kategorie",        { 0,    0,    0,    0.95, 0,    0 } },
    { "categoria",        { 0,    0,    0,    0.95, 0,    0 } },
    { "cat\xc3\xa9gorie", { 0,    0,    0,    0.95, 0,    0 } },
    { "identifiant",      { 0,    0,    0,    0,    0,    0.95 } },
    { "artikelnummer",    { 0,    0,    0,    0,    0,    0.85 } },
    { "nummer",           { 0,    0,    0,    0,    0,    0.65 } },
    { "ticket",           { 0.3,  0,    0,    0,    0,    0.6 } }
};

/* Whose identifier or name it is: not that of the item. */

static const char *const  judge_map_others[] = {
    "user", "author", "customer", "client", "parent", "category", "account",
    "session", "thread", "order", "group", "team", "company", "brand",
    "file", "first", "last", "store", "country", "city", "agent", "reviewer",
    "writer", "editor", "student", "employee", "seller", "vendor", NULL
};

/* Names of usual properties of an item. */

static const char *const  judge_map_about[] = {
    "author", "date", "time", "created", "updated", "published", "modified",
    "timestamp", "url", "link", "source", "language", "lang", "locale",
    "country", "city", "region", "rating", "stars", "score", "votes",
    "likes", "views", "shares", "price", "currency", "brand", "user",
    "username", "email", "status", "tags", "tag", "keywords", "version",
    "platform", "channel", "writer", "editor", "customer", "department",
    "priority", "sentiment", "verified", "count", "length", "words", "by",
    "at", "on", "level", "grade", "model", "image", "phone", "website",
    "publisher", "journal", "year", "location", "agent", "format", "product",
    "file", "sku", "label", "type", NULL
};


bool
judge_column_field_find(judge_str_t name, judge_column_field_e *field)
{
    int  i;

    for (i = 0; i < JUDGE_COLUMN_FIELDS; i++) {
        if (judge_str_eq_c(name, judge_column_fields[i].name)) {
            *field = (judge_column_field_e) i;
            return true;
        }
    }

    return false;
}


/* "reviewText", "Review_Text" and "review-text (en)" have the same words. */

static void
judge_map_split(judge_str_t name, judge_map_words_t *w)
{
    bool    upper, lower, part, was_lower, in;
    char    c;
    size_t  i;

    memset(w, 0, sizeof(judge_map_words_t));
    was_lower = false;
    in = false;

    for (i = 0; i < name.len && w->len + 2 < sizeof(w->text); i++) {
        c = name.data[i];
        upper = c >= 'A' && c <= 'Z';
        lower = (c >= 'a' && c <= 'z') || (unsigned char) c >= 0x80;
        part = upper || lower || c == '#';

        if (in && (!part || (upper && was_lower))) {
            w->text[w->len++] = ' ';
            in = false;
        }

        if (c == '(' && w->nwords > 0) {
            break;
        }

        if (part) {
            if (!in) {
                if (w->nwords == JUDGE_MAP_WORDS) {
                    break;
                }

                w->words[w->nwords].data = w->text + w->len;
                w->nwords++;
                in = true;
            }

            w->text[w->len++] = upper ? (char) (c | 0x20) : c;
            w->words[w->nwords - 1].len++;
        }

        was_lower = lower;
    }

    while (w->len > 0 && w->text[w->len - 1] == ' ') {
        w->len--;
    }
}


static const judge_map_name_t *
judge_map_find(judge_str_t name)
{
    size_t  i;

    for (i = 0; i < sizeof(judge_map_names) / sizeof(judge_map_name_t); i++) {
        if (judge_str_eq_c(name, judge_map_names[i].name)) {
            return &judge_map_names[i];
        }
    }

    return NULL;
}


static bool
judge_map_among(judge_str_t word, const char *const *words)
{
    for ( ; *words != NULL; words++) {
        if (judge_str_eq_c(word, *words)) {
            return true;
        }
    }

    return false;
}


/* The word that the others belong to: the last, or what stands before "of". */

static size_t
judge_map_head(const judge_map_words_t *w)
{
    size_t  i;

    for (i = 1; i < w->nwords; i++) {
        if (judge_str_eq_c(w->words[i], "of")
            || judge_str_eq_c(w->words[i], "in"))
        {
            return i - 1;
        }
    }

    return w->nwords - 1;
}


static double
judge_map_name_score(const judge_map_words_t *w, judge_column_field_e field)
{
    size_t                   i, head;
    double                   score, best;
    const judge_map_name_t  *entry;

    if (w->nwords == 0) {
        return 0;
    }

    entry = judge_map_find((judge_str_t) { w->len, w->text });

    if (entry != NULL) {
        return entry->scores[field];
    }

    head = judge_map_head(w);
    best = 0;

    for (i = 0; i < w->nwords; i++) {
        entry = judge_map_find(w->words[i]);

        if (entry == NULL) {
            continue;
        }

        score = entry->scores[field] * ((i == head) ? 0.93 : 0.4);

        /* "author name", "user_id" */

        if (i == head && i > 0 && judge_map_among(w->words[0],
                                                  judge_map_others)
            && (field == JUDGE_COLUMN_ID || field == JUDGE_COLUMN_TITLE))
        {
            score *= (field == JUDGE_COLUMN_ID) ? 0.55 : 0.3;
        }

        best = (score > best) ? score : best;
    }

    return best;
}


double
judge_column_named(judge_str_t name, judge_column_field_e field)
{
    judge_map_words_t  words;

    judge_map_split(name, &words);

    return judge_map_name_score(&words, field);
}


bool
judge_column_about(judge_str_t name)
{
    size_t             i;
    judge_map_words_t  words;

    judge_map_split(name, &words);

    for (i = 0; i < words.nwords; i++) {
        if (judge_map_among(words.words[i], judge_map_about)) {
            return true;
        }
    }

    return false;
}
