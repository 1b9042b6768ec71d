/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "worker_conf.h"


#define JUDGE_CONF_FILE   65536        /* bytes of a file, at most */
#define JUDGE_CONF_ERROR  200


typedef struct {
    const char  *name;
    size_t       offset;
    bool         secret;               /* may stand in a file of its own, that
                                          NAME_FILE names */
    const char  *otherwise;            /* NULL: it must be set */
} judge_conf_text_t;

typedef struct {
    const char  *name;
    size_t       offset;
    int          least;
    int          most;
    int          otherwise;
} judge_conf_number_t;

#define judge_in(member)  offsetof(judge_worker_conf_t, member)

static const judge_conf_text_t  judge_conf_texts[] = {
    { "JUDGE_URL", judge_in(url), false, NULL },
    { "JUDGE_API_KEY", judge_in(api_key), true, NULL },
    { "JUDGE_WEBHOOK_SECRET", judge_in(secret), true, NULL },
    { "JUDGE_ORIGINS", judge_in(origins), false, "" },
    { "JUDGE_KINDS", judge_in(kinds), false, "video,audio,image" },
    { "JUDGE_TEMP", judge_in(temp), false, "/var/tmp" },
    { "JUDGE_MODEL_URL", judge_in(model_url), false, "" },
    { "JUDGE_MODEL", judge_in(model), false, "" },
    { "JUDGE_MODEL_KEY", judge_in(model_key), true, "" },
    { NULL, 0, false, NULL }
};

static const judge_conf_number_t  judge_conf_numbers[] = {
    { "JUDGE_WORKERS", judge_in(processes), 1, JUDGE_WORKER_PROCESSES_MAX, 0 },
    { "JUDGE_LEASE", judge_in(lease), 1, 600, 60 },
    { "JUDGE_WAIT", judge_in(wait), 1, 60, 20 },
    { "JUDGE_TRIES", judge_in(tries), 1, 20, 8 },
    { "JUDGE_MAX_SECONDS", judge_in(limits.seconds), 1, 86400, 600 },
    { "JUDGE_MAX_MEMORY_MB", judge_in(limits.memory), 64, 1048576, 1024 },
    { "JUDGE_THREADS", judge_in(limits.threads), 1, 16, 1 },
    { "JUDGE_MODEL_SECONDS", judge_in(model_seconds), 1, 600, 120 },
    { "JUDGE_MODEL_SHARE", judge_in(model_share), 0, 100, 50 },
    { NULL, 0, 0, 0, 0 }
};


static char *judge_conf_load(const char *path);
static const char *judge_conf_value(char *file, const char *name);
static char *judge_conf_line(char *line, const char *name);
static bool judge_conf_text(judge_worker_conf_t *conf, char *file,
    const judge_conf_text_t *row, const char **error);
static const char *judge_conf_secret(char *file, const char *name,
    const char **error);
static bool judge_conf_number(char *file, const char *name, int least,
    int most, int otherwise, int *out, const char **error);
static bool judge_conf_check(judge_worker_conf_t *conf, const char **error);
static bool judge_conf_is_url(const char *url);
static bool judge_conf_of(const char *url, const char *origin, size_t len);
static size_t judge_conf_origin(const char *url);
static bool judge_conf_wrong(const char **error, const char *name,
    const char *what);


bool
judge_worker_conf_read(judge_worker_conf_t *conf, const char *path,
    const char **error)
{
    int     megabytes, megapixels;
    char   *file;
    size_t  i;

    memset(conf, 0, sizeof(judge_worker_conf_t));
    file = NULL;

    if (path) {
        file = judge_conf_load(path);
        if (file == NULL) {
            return judge_conf_wrong(error, path, "can't be read");
        }
    }

    for (i = 0; judge_conf_texts[i].name; i++) {
        if (!judge_conf_text(conf, file, &judge_conf_texts[i], error)) {
            return false;
        }
    }

    for (i = 0; judge_conf_numbers[i].name; i++) {
        const judge_conf_number_t  *row = &judge_conf_numbers[i];

        if (!judge_conf_number(file, row->name, row->least, row->most,
                               row->otherwise,
                               (int *) ((char *) conf + row->offset), error))
        {
            return false;
        }
    }

    if (!judge_conf_number(file, "JUDGE_MAX_FILE_MB", 1, 1048576, 4096,
                           &megabytes, error)
        || !judge_conf_number(file, "JUDGE_MAX_MEGAPIXELS", 1, 400, 40,
                              &megapixels, error))
    {
        return false;
    }

    conf->bytes = (int64_t) megabytes * 1024 * 1024;
    conf->limits.pixels = (int64_t) megapixels * 1000000;
    conf->limits.frames = true;

    return judge_conf_check(conf, error);
}


static char *
judge_conf_load(const char *path)
{
    char    *text;
    FILE    *file;
    size_t   n;

    file = fopen(path, "re");
    if (file == NULL) {
        return NULL;
    }

    text = malloc(JUDGE_CONF_FILE + 1);
    n = text ? fread(text, 1, JUDGE_CONF_FILE, file) : 0;

    if (text == NULL || ferror(file) || !feof(file)) {
        free(text);
        fclose(file);
        return NULL;
    }

    fclose(file);
    text[n] = '\0';

    return text;
}


/* The environment comes first.  A copy; NULL: it is not set. */

static const char *
judge_conf_value(char *file, const char *name)
{
    char  *line, *next, *value;

    value = getenv(name);

    for (line = file; line && value == NULL; line = next) {
        next = strchr(line, '\n');
        next = next ? next + 1 : NULL;
        value = judge_conf_line(line, name);
    }

    return value ? strndup(value, strcspn(value, "\n")) : NULL;
}


/* NAME=value, with or without "export" and quotes, as a shell would read
 * it.  The quote at the end becomes the line's end. */

static char *
judge_conf_line(char *line, const char *name)
{
    char    *end;
    size_t   len;

    len = strlen(name);
    line += strspn(line, " \t");

    if (strncmp(line, "export ", 7) == 0) {
        line += 7 + strspn(line + 7, " \t");
    }

    if (strncmp(line, name, len) != 0 || line[len] != '=') {
        return NULL;
    }

    line += len + 1;

    if (*line == '\'' || *line == '"') {
        end = line + 1 + strcspn(line + 1, "\n'\"");
        if (*end == *line) {
            *end = '\n';
        }
        line++;
    }

    return line;
}


static bool
judge_conf_text(judge_worker_conf_t *conf, char *file,
    const judge_conf_text_t *row, const char **error)
{
    const char  *value;

    value = judge_conf_value(file, row->name);

    if (row->secret) {
        unsetenv(row->name);

        if (value == NULL) {
            *error = NULL;
            value = judge_conf_secret(file, row->name, error);
            if (*error) {
                return false;
            }
        }
    }

    value = value ? value : row->otherwise;
    if (value == NULL || (row->otherwise == NULL && *value == '\0')) {
        return judge_conf_wrong(error, row->name, "is required");
    }

    *(const char **) ((char *) conf + row->offset) = value;

    return true;
}


/* The first line of the file that NAME_FILE names. */

static const char *
judge_conf_secret(char *file, const char *name, const char **error)
{
    char         asked[64], *value;
    const char  *path;

    snprintf(asked, sizeof(asked), "%s_FILE", name);

    path = judge_conf_value(file, asked);
    if (path == NULL) {
        return NULL;
    }

    value = judge_conf_load(path);
    if (value == NULL) {
        judge_conf_wrong(error, asked, "can't be read");
        return NULL;
    }

    value[strcspn(value, "\r\n")] = '\0';

    return value;
}


static bool
judge_conf_number(char *file, const char *name, int least, int most,
    int otherwise, int *out, const char **error)
{
    long         n;
    char        *end, what[64];
    const char  *value;

    *out = otherwise;

    value = judge_conf_value(file, name);
    if (value == NULL) {
        return true;
    }

    n = strtol(value, &end, 10);

    if (*value == '\0' || *end || n < least || n > most) {
        snprintf(what, sizeof(what), "expected a number from %d to %d",
                 least, most);
        return judge_conf_wrong(error, name, what);
    }

    *out = (int) n;

    return true;
}


static bool
judge_conf_check(judge_worker_conf_t *conf, const char **error)
{
    long    cores;
    char   *copy, *kind, *save;
    size_t  len;

    if (!judge_conf_is_url(conf->url)) {
        return judge_conf_wrong(error, "JUDGE_URL",
                                "expected an address of http or https");
    }

    len = strlen(conf->url);
    if (conf->url[len - 1] == '/') {
        conf->url = strndup(conf->url, len - 1);
    }

    if (*conf->model_url && !judge_conf_is_url(conf->model_url)) {
        return judge_conf_wrong(error, "JUDGE_MODEL_URL",
                                "expected an address of http or https");
    }

    if (*conf->model_url && *conf->model == '\0') {
        return judge_conf_wrong(error, "JUDGE_MODEL", "is required with"
                                " JUDGE_MODEL_URL");
    }

    copy = strdup(conf->kinds);
    for (kind = copy ? strtok_r(copy, ",", &save) : NULL; kind;
         kind = strtok_r(NULL, ",", &save))
    {
        if (judge_media_kind_find(judge_str_c(kind)) == 0) {
            free(copy);
            return judge_conf_wrong(error, "JUDGE_KINDS",
                                    "expected video, audio and image");
        }
    }
    free(copy);

    if (conf->processes == 0) {
        cores = sysconf(_SC_NPROCESSORS_ONLN);
        conf->processes = cores < 1 ? 1
                          : cores > JUDGE_WORKER_PROCESSES_MAX
                            ? JUDGE_WORKER_PROCESSES_MAX : (int) cores;
    }

    return true;
}


static bool
judge_conf_is_url(const char *url)
{
    const unsigned char  *p;

    if (judge_conf_origin(url) == 0) {
        return false;
    }

    for (p = (const unsigned char *) url; *p; p++) {
        if (*p <= ' ' || *p >= 0x7f || *p == '\\') {
            return false;
        }
    }

    return strpbrk(url, "@#?") == NULL;
}


/* The length of scheme, host and port; 0: it has none. */

static size_t
judge_conf_origin(const char *url)
{
    size_t  scheme, host;

    scheme = strncasecmp(url, "http://", 7) == 0 ? 7
             : strncasecmp(url, "https://", 8) == 0 ? 8 : 0;
    host = strcspn(url + scheme, "/?#");

    return scheme && host ? scheme + host : 0;
}


bool
judge_worker_conf_allows(const judge_worker_conf_t *conf, const char *url)
{
    size_t       len;
    const char  *p;

    if (judge_conf_of(url, conf->url, judge_conf_origin(conf->url))) {
        return true;
    }

    for (p = conf->origins; *p; p += len + (p[len] == ',')) {
        p += strspn(p, " ");
        len = strcspn(p, ",");

        if (judge_conf_of(url, p, len)) {
            return true;
        }
    }

    return false;
}


/* A user's name before the host would make the origin another one than it
 * seems: "@" is never part of an origin that is allowed. */

static bool
judge_conf_of(const char *url, const char *origin, size_t len)
{
    size_t  of;

    of = judge_conf_origin(url);

    return of && of == len && strncasecmp(url, origin, len) == 0
           && memchr(url, '@', of) == NULL && memchr(url, '\\', of) == NULL;
}


static bool
judge_conf_wrong(const char **error, const char *name, const char *what)
{
    static char  sentence[JUDGE_CONF_ERROR];

    snprintf(sentence, sizeof(sentence), "%s: %s", name, what);
    *error = sentence;

    return false;
}
