/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Whether a text is JSON, XML, YAML or CSV, or contains JSON. */


#include <math.h>

#include <expat.h>
#include <yaml.h>

#include "base/csv/csv.h"
#include "analysis/checks/check_type.h"
#include "analysis/text/say.h"


#define JUDGE_FORMAT_DEPTH  200        /* of nested YAML */
#define JUDGE_FORMAT_TRIES  50         /* places where JSON may begin */
#define JUDGE_FORMAT_JSON   "JSON"     /* in all languages */

/* expat 2.9 deprecates the name that older versions have. */
#if (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9)
#define XML_GetCurrentLineNumber64  XML_GetCurrentLineNumber
#endif

typedef struct {
    uint64_t  rows;
    uint64_t  wrong;                   /* row with another number of columns */
    size_t    columns;
} judge_format_csv_t;


static judge_rc_e
judge_format_say(judge_checked_t *c, judge_check_result_t *r, bool is,
    const char *what, judge_str_t why)
{
    what = judge_say(c->feedback, what);

    if (why.len > 0) {
        what = judge_str_printf(c->scratch, judge_say(c->feedback, "%s: %.*s"),
                                what, judge_str_args(why)).data;
    }

    return what == NULL
           ? JUDGE_NOMEM : judge_check_say(c, r, is, is ? "It is %s."
                                                        : "It is not %s.",
                                           what);
}


/* --- JSON ---------------------------------------------------------------- */

/* The text is parsed as JSON once for all checks. */

static judge_rc_e
judge_format_json(judge_checked_t *c)
{
    if (!c->json_read) {
        c->is_json = judge_json_parse(c->kept, judge_checked_within(c),
                                      &c->json, &c->why_not);
        c->json_read = c->is_json != JUDGE_NOMEM;
    }

    return c->is_json;
}


judge_rc_e
judge_check_json(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    judge_rc_e  rc = judge_format_json(c);

    if (rc == JUDGE_NOMEM) {
        return rc;
    }

    return judge_format_say(c, r, rc == JUDGE_OK, "valid JSON", c->why_not);
}


judge_rc_e
judge_check_schema(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    judge_rc_e   rc = judge_format_json(c);
    judge_str_t  why;

    if (rc != JUDGE_OK) {
        return judge_check_json(c, check, r);
    }

    rc = judge_schema_check(check->schema, c->json, c->scratch, c->reader,
                            c->allowance, &why);

    return rc != JUDGE_OK && rc != JUDGE_INVALID
           ? rc : judge_format_say(c, r, rc == JUDGE_OK,
                                   "JSON as the schema wants it",
                                   rc == JUDGE_OK ? JUDGE_STR("") : why);
}


/* The length up to the bracket that closes the first one; 0: unclosed. */

static size_t
judge_format_json_end(judge_str_t s)
{
    bool    string = false;
    size_t  i, depth = 0;

    for (i = 0; i < s.len; i++) {
        if (string) {
            i += s.data[i] == '\\';
            string = i < s.len && s.data[i] != '"';

        } else if (s.data[i] == '"') {
            string = true;

        } else if (s.data[i] == '{' || s.data[i] == '[') {
            depth++;

        } else if ((s.data[i] == '}' || s.data[i] == ']') && --depth == 0) {
            return i + 1;
        }
    }

    return 0;
}


/* Looks for a JSON object or array anywhere in the text. */

judge_rc_e
judge_check_json_within(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    size_t         i, len;
    unsigned       tries;
    judge_rc_e     rc;
    judge_str_t    s = judge_checked_within(c);
    judge_json_t  *root;

    for (i = 0, tries = 0; i < s.len && tries < JUDGE_FORMAT_TRIES; i++) {
        if (s.data[i] != '{' && s.data[i] != '[') {
            continue;
        }

        if (!judge_allowance_take(c->allowance,
                                  JUDGE_CHECK_BYTE * (s.len - i)))
        {
            return JUDGE_BUSY;
        }

        len = judge_format_json_end(judge_str_from(s, i));
        tries++;

        if (len == 0) {
            continue;
        }

        rc = judge_json_parse(c->scratch, (judge_str_t) { len, s.data + i },
                              &root, NULL);
        judge_arena_reset(c->scratch);
        if (rc == JUDGE_NOMEM) {
            return rc;
        }

        if (rc == JUDGE_OK) {
            judge_check_show(c, r, c->begin + i, c->begin + i + len);
            return judge_check_say(c, r, 1, "It contains %.*s.", 4,
                                   JUDGE_FORMAT_JSON);
        }
    }

    return judge_check_say(c, r, 0, "It does not contain %.*s.", 4,
                           JUDGE_FORMAT_JSON);
}


/* --- XML ----------------------------------------------------------------- */

/* expat frees and grows its blocks, so they are on the heap, not in an arena.
 * A text with a DOCTYPE is refused: its entities could expand to many times
 * its size. */

static void XMLCALL
judge_format_doctype(void *parser, const XML_Char *name, const XML_Char *id,
    const XML_Char *public, int internal)
{
    (void) XML_StopParser(parser, XML_FALSE);
}


static judge_rc_e
judge_format_xml_say(judge_checked_t *c, judge_check_result_t *r,
    XML_Parser parser, enum XML_Error code)
{
    judge_str_t  why = JUDGE_STR("");

    if (code == XML_ERROR_ABORTED) {
        return judge_check_say(c, r, (double) NAN, "Whether it is XML was not"
                               " decided: a declaration of a document type is"
                               " not read.");
    }

    if (code != XML_ERROR_NONE) {
        why = judge_str_printf(c->scratch, "%s in line %llu",
                               XML_ErrorString(code), (unsigned long long)
                               XML_GetCurrentLineNumber64(parser));
    }

    return why.data == NULL
           ? JUDGE_NOMEM : judge_format_say(c, r, code == XML_ERROR_NONE,
                                            "well-formed XML", why);
}


judge_rc_e
judge_check_xml(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    judge_rc_e      rc;
    judge_str_t     s;
    XML_Parser      parser;
    enum XML_Error  code;

    s = judge_checked_within(c);
    parser = XML_ParserCreate("UTF-8");
    if (parser == NULL) {
        return JUDGE_NOMEM;
    }

    XML_UseParserAsHandlerArg(parser);
    XML_SetStartDoctypeDeclHandler(parser, judge_format_doctype);

    code = XML_Parse(parser, s.data, (int) s.len, 1) == XML_STATUS_OK
           ? XML_ERROR_NONE : XML_GetErrorCode(parser);
    rc = code == XML_ERROR_NO_MEMORY
         ? JUDGE_NOMEM : judge_format_xml_say(c, r, parser, code);

    XML_ParserFree(parser);

    return rc;
}


/* --- YAML ---------------------------------------------------------------- */

static judge_rc_e
judge_format_yaml_read(yaml_parser_t *parser, bool *is, bool *tree)
{
    int                depth;
    yaml_event_t       event;
    yaml_event_type_t  type;

    *is = false;
    *tree = false;
    depth = 0;

    do {
        if (!yaml_parser_parse(parser, &event)) {
            return parser->error == YAML_MEMORY_ERROR ? JUDGE_NOMEM
                                                      : JUDGE_OK;
        }

        type = event.type;
        yaml_event_delete(&event);

        if (type == YAML_SEQUENCE_START_EVENT
            || type == YAML_MAPPING_START_EVENT)
        {
            *tree = true;
            depth++;
        }

        depth -= type == YAML_SEQUENCE_END_EVENT
                 || type == YAML_MAPPING_END_EVENT;

        if (depth > JUDGE_FORMAT_DEPTH) {
            return JUDGE_OK;
        }
    } while (type != YAML_STREAM_END_EVENT);

    *is = true;

    return JUDGE_OK;
}


/* Counts the steps for the handles of tags: libyaml compares each one that a
 * document declares with all before it. */

static uint64_t
judge_format_handles(judge_str_t s)
{
    uint64_t     n;
    judge_str_t  before;

    for (n = 0; judge_str_cut(&s, JUDGE_STR("%TAG"), &before); n++) {
        /* void */
    }

    return n * n;
}


/* Plain prose is valid YAML (a string), so only lists and mappings count. */

judge_rc_e
judge_check_yaml(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    bool           is, tree;
    judge_rc_e     rc;
    judge_str_t    s, why;
    yaml_parser_t  parser;

    s = judge_checked_within(c);

    if (!judge_allowance_take(c->allowance, judge_format_handles(s))) {
        return JUDGE_BUSY;
    }

    if (!yaml_parser_initialize(&parser)) {
        return JUDGE_NOMEM;
    }

    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *) s.data,
                                 s.len);
    rc = judge_format_yaml_read(&parser, &is, &tree);
    why = JUDGE_STR("");

    if (rc == JUDGE_OK && !is) {
        why = judge_str_printf(c->scratch, "%s in line %zu",
                               parser.problem ? parser.problem
                                              : "nested too deeply",
                               parser.problem_mark.line + 1);
    } else if (!tree) {
        why = judge_str_c(judge_say(c->feedback,
                                    "neither a list nor a mapping"));
    }

    yaml_parser_delete(&parser);

    return rc == JUDGE_OK
           ? judge_format_say(c, r, is && tree, "valid YAML", why) : rc;
}


/* --- CSV ----------------------------------------------------------------- */

static judge_rc_e
judge_format_row(void *data, const judge_csv_row_t *row)
{
    judge_format_csv_t  *seen = data;

    seen->rows++;
    seen->columns = seen->columns ? seen->columns : row->nfields;

    if (seen->wrong == 0
        && (row->nfields != seen->columns
            || (row->flags & ~(unsigned) JUDGE_CSV_LAST)))
    {
        seen->wrong = row->number;
    }

    return JUDGE_OK;
}


judge_rc_e
judge_check_csv(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    judge_rc_e           rc;
    judge_str_t          s = judge_checked_within(c), why;
    judge_csv_t         *csv;
    judge_csv_sniff_t    sniff;
    judge_format_csv_t   seen = { .rows = 0 };

    if (judge_csv_sniff(s, &sniff) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    csv = judge_csv_create(&sniff.dialect, NULL, judge_format_row, &seen);
    if (csv == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_csv_feed(csv, s);
    rc = rc == JUDGE_OK ? judge_csv_finish(csv) : rc;
    judge_csv_free(csv);

    if (rc == JUDGE_NOMEM) {
        return rc;
    }

    why = seen.columns < 2
          ? judge_str_c(judge_say(c->feedback, "there are no columns"))
          : seen.wrong
          ? judge_str_printf(c->scratch, judge_say(c->feedback,
                                                 "row %llu is not as the"
                                                 " first"),
                             (unsigned long long) seen.wrong)
          : seen.rows < 2
          ? judge_str_c(judge_say(c->feedback, "there is one row only"))
          : judge_str_printf(c->scratch, judge_say(c->feedback,
                                                 "%llu rows of %zu columns"),
                             (unsigned long long) seen.rows, seen.columns);

    return judge_format_say(c, r, rc == JUDGE_OK && seen.columns > 1
                                  && seen.rows > 1 && seen.wrong == 0,
                            "valid CSV", why);
}
