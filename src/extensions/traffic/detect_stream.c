/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Streams of events.  Strings of events are pieces of texts; each text has a
 * lane.  An event is sent when all its pieces are settled: nothing in them can
 * become a part of a match any more.  If something in them was replaced, its
 * JSON is written anew.
 */


#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "extensions/traffic/detect.h"


#define JUDGE_DETECT_LANES    64
#define JUDGE_DETECT_PIECES   64       /* strings in an event */
#define JUDGE_DETECT_PART     8        /* a text is searched again when an
                                          eighth of what is held was added, so
                                          that single bytes are not costly */
#define JUDGE_DETECT_CONTEXT  128      /* bytes before a text */
#define JUDGE_DETECT_WORD     4096     /* most bytes of a word held back */

typedef struct judge_detect_event  judge_detect_event_t;

/* Offsets are from the beginning of the text of the lane. */
typedef struct {
    uint64_t               key;
    judge_buf_t            text;       /* from `base` on */
    size_t                 base;
    size_t                 settled;
    size_t                 scanned;
    judge_detect_event_t  *put;        /* the last event that got output, and
                                          may get more; NULL: none did */
    bool                   ends;       /* it is complete */
    bool                   spoken;     /* its language is counted */
} judge_detect_lane_t;

typedef struct {
    judge_detect_lane_t  *lane;        /* NULL: a text of its own */
    size_t                begin;
    size_t                len;
    judge_buf_t           out;         /* its replacement, up to `settled` */
    bool                  changed;
} judge_detect_piece_t;

struct judge_detect_event {
    judge_detect_event_t  *next;
    judge_str_t            raw;
    size_t                 n;
    judge_detect_piece_t   pieces[];
};

struct judge_detect_stream {
    judge_detect_t         *d;
    judge_extract_t        *e;
    judge_extract_watch_t   watch;
    judge_extract_watch_t   writing;
    judge_arena_t          *arena;     /* for matches and written events */
    bool                    ends;      /* all texts are complete */
    size_t                  hold;      /* bytes after the beginning of a match
                                          that tell that it is one */
    size_t                  held;      /* bytes of memory */
    judge_detect_lane_t     lanes[JUDGE_DETECT_LANES];
    size_t                  nlanes;
    judge_detect_piece_t    pieces[JUDGE_DETECT_PIECES];
    size_t                  npieces;   /* of the event being read */
    judge_detect_event_t   *first;
    judge_detect_event_t  **last;
    size_t                  written;   /* pieces of the event being written */
    judge_skip_e            skip;
};


/* --- Reading ------------------------------------------------------------- */

static judge_detect_lane_t *
judge_detect_lane(judge_detect_stream_t *s, uint64_t key)
{
    size_t  i;

    for (i = 0; i < s->nlanes && s->lanes[i].key != key; i++) { /* void */ }

    if (i == JUDGE_DETECT_LANES) {
        return NULL;
    }

    if (i == s->nlanes) {
        s->lanes[i].key = key;
        judge_buf_init(&s->lanes[i].text, NULL);
        s->nlanes++;
    }

    return &s->lanes[i];
}


/* Ends the lanes whose text is repeated here as a whole. */

static void
judge_detect_repeated(judge_detect_stream_t *s, judge_str_t text)
{
    size_t                i, n, at;
    judge_detect_lane_t  *lane;

    for (i = 0; i < s->nlanes; i++) {
        lane = &s->lanes[i];
        at = lane->settled - lane->base;
        n = lane->text.len - at;
        if (n && n <= text.len
            && memcmp(text.data + text.len - n, lane->text.data + at, n) == 0)
        {
            lane->ends = true;
        }
    }
}


/* Searches a text in one event.  Repeated texts are not counted twice. */

static void
judge_detect_alone(judge_detect_stream_t *s, judge_detect_piece_t *piece,
    judge_str_t text)
{
    judge_detect_t  before = *s->d;

    piece->changed = judge_detect_text(s->d, text, 0, &piece->out);

    if (s->e->repeats && s->d->blocked == before.blocked) {
        memcpy(s->d->counts, before.counts, sizeof(before.counts));
    }
}


static void
judge_detect_piece(void *data, uint64_t key, judge_str_t *text, bool whole)
{
    judge_detect_lane_t    *lane = NULL;
    judge_detect_piece_t   *piece;
    judge_detect_stream_t  *s = data;

    if (s->npieces == JUDGE_DETECT_PIECES
        || (!whole && (lane = judge_detect_lane(s, key)) == NULL))
    {
        s->skip = JUDGE_SKIP_TOO_LARGE;
        return;
    }

    piece = &s->pieces[s->npieces++];
    *piece = (judge_detect_piece_t) { .lane = lane, .len = text->len };
    judge_buf_init(&piece->out, NULL);

    if (whole) {
        if (s->e->repeats) {
            judge_detect_repeated(s, *text);
        }
        judge_detect_alone(s, piece, *text);
        return;
    }

    piece->begin = lane->base + lane->text.len;
    judge_buf_str(&lane->text, *text);
    s->held += text->len;
    if (lane->text.failed) {
        s->skip = JUDGE_SKIP_FAILED;
    }
}


/* Appends an event that was read.  Anthropic's blocks come one after another,
 * so the end of one ends all texts. */

static void
judge_detect_event(void *data, judge_str_t raw)
{
    size_t                  size;
    judge_detect_event_t   *event;
    judge_detect_stream_t  *s = data;

    static const judge_str_t  stop = judge_str("content_block_stop");

    s->ends = s->ends || s->e->ended
              || (s->npieces == 0 && judge_str_find(raw, stop));

    size = sizeof(*event) + s->npieces * sizeof(*s->pieces);
    event = malloc(size + raw.len);
    if (event == NULL) {
        s->skip = JUDGE_SKIP_FAILED;
        return;
    }

    memcpy(event->pieces, s->pieces, s->npieces * sizeof(*s->pieces));
    memcpy((char *) event + size, raw.data, raw.len);
    event->raw = (judge_str_t) { raw.len, (char *) event + size };
    event->n = s->npieces;
    event->next = NULL;
    *s->last = event;
    s->last = &event->next;
    s->npieces = 0;
    s->held += size + raw.len;

    if (s->held > s->e->max) {
        s->skip = JUDGE_SKIP_TOO_LARGE;
    }
}


/* --- Finding ------------------------------------------------------------- */

/* Appends the output for a range of a lane's text to its pieces: the text
 * itself, or else `what`, once, to the piece in which the range begins. */

static void
judge_detect_put(judge_detect_stream_t *s, judge_detect_lane_t *lane,
    size_t from, size_t to, judge_str_t what)
{
    size_t                 i, begin, end;
    judge_detect_event_t  *event;
    judge_detect_piece_t  *piece;

    for (event = lane->put ? lane->put : s->first; event && from < to;
         event = event->next)
    {
        for (i = 0; i < event->n; i++) {
            piece = &event->pieces[i];
            if (piece->lane == lane && piece->begin >= to) {
                return;
            }

            begin = piece->begin > from ? piece->begin : from;
            end = piece->begin + piece->len < to ? piece->begin + piece->len
                                                 : to;
            if (piece->lane != lane || begin >= end) {
                continue;
            }

            lane->put = event;
            if (what.data == NULL) {
                judge_buf_append(&piece->out, lane->text.data + begin
                                              - lane->base, end - begin);
            } else if (begin == from) {
                judge_buf_str(&piece->out, what);
            }
            piece->changed = piece->changed || what.data;
            if (piece->out.failed) {
                s->skip = JUDGE_SKIP_FAILED;
            }
        }
    }
}


/* Whether no address, number or token continues at a position: after a space
 * or a quotation mark, or before most characters of scripts without spaces. */

static bool
judge_detect_breaks(judge_str_t text, size_t at)
{
    unsigned char  c = (unsigned char) text.data[at - 1];

    return c <= ' ' || c == '"'
           || (at < text.len && (unsigned char) text.data[at] >= 0xe3
               && (unsigned char) text.data[at] <= 0xed);
}


/* Returns how much of a text is settled although more may follow: not the
 * bytes held at its end, not a word or match that extends into them. */

static size_t
judge_detect_limit(const judge_detect_stream_t *s, judge_str_t text,
    const judge_detect_found_t *found)
{
    size_t  i, least, limit;

    limit = text.len > s->hold ? text.len - s->hold : 0;
    least = limit > JUDGE_DETECT_WORD ? limit - JUDGE_DETECT_WORD : 0;

    for (i = limit; i > least && !judge_detect_breaks(text, i); i--) {
        /* void */
    }
    limit = i > least || least == 0 ? i : limit;

    for (i = 0; i < found->n && found->hits[i].begin < limit; i++) {
        if (found->hits[i].end > limit) {
            limit = found->hits[i].begin;
        }
    }

    return judge_utf8_prefix(text, limit).len;
}


static void
judge_detect_settle(judge_detect_stream_t *s, judge_detect_lane_t *lane,
    const judge_detect_found_t *found, size_t start, size_t limit)
{
    size_t               i, begin, end, at = lane->settled;
    judge_str_t          match, what, same = { 0, NULL };
    judge_detect_hit_t  *hit;

    for (i = 0; i < found->n; i++) {
        hit = &found->hits[i];
        begin = start + hit->begin;
        end = start + hit->end;

        if (hit->detector == JUDGE_DETECT_LANGUAGE) {
            if (!lane->spoken && (lane->ends
                                  || hit->end >= JUDGE_DETECT_SPEECH))
            {
                lane->spoken = true;
                (void) judge_detect_instead(s->d, hit, same);
            }
            continue;
        }

        /* a match may begin in what was sent: only its rest is replaced */
        begin = begin > at ? begin : at;
        if (end <= at || begin >= limit) {
            continue;
        }

        match = (judge_str_t) { end - begin,
                               lane->text.data + begin - lane->base };
        what = judge_detect_instead(s->d, hit, match);
        judge_detect_put(s, lane, at, begin, same);
        judge_detect_put(s, lane, begin, end, what);
        at = end;
    }

    judge_detect_put(s, lane, at, limit, same);
    lane->settled = limit;
}


/* Drops settled text that is not needed as context any more. */

static void
judge_detect_forget(judge_detect_stream_t *s, judge_detect_lane_t *lane)
{
    size_t  n;

    n = lane->settled - lane->base;
    n = n > JUDGE_DETECT_CONTEXT ? n - JUDGE_DETECT_CONTEXT : 0;

    if (n < JUDGE_DETECT_CONTEXT || n < lane->text.len / 2) {
        return;
    }

    n = judge_utf8_prefix(judge_buf_view(&lane->text), n).len;
    memmove(lane->text.data, lane->text.data + n, lane->text.len - n);
    lane->text.len -= n;
    lane->base += n;
    s->held -= n;
}


static void
judge_detect_scan(judge_detect_stream_t *s, judge_detect_lane_t *lane)
{
    size_t                before, start, limit;
    size_t                total = lane->base + lane->text.len;
    judge_str_t           text;
    judge_detect_found_t  found;

    lane->ends = lane->ends || s->ends;

    if (total == lane->settled
        || (!lane->ends && (total - lane->scanned) * JUDGE_DETECT_PART
                        < total - lane->settled))
    {
        return;
    }

    text = judge_buf_view(&lane->text);
    before = lane->settled - lane->base;
    before = before > JUDGE_DETECT_CONTEXT ? before - JUDGE_DETECT_CONTEXT : 0;
    before = judge_utf8_prefix(text, before).len;
    text = judge_str_from(text, before);
    start = lane->base + before;
    if (judge_detect_find(s->d, text, &found) != JUDGE_OK) {
        s->skip = JUDGE_SKIP_FAILED;
        return;
    }

    limit = start + (lane->ends ? text.len
                                : judge_detect_limit(s, text, &found));
    lane->scanned = total;
    judge_detect_settle(s, lane, &found, start,
                        limit > lane->settled ? limit : lane->settled);
    lane->ends = false;
    judge_detect_forget(s, lane);
}


/* --- Writing ------------------------------------------------------------- */

/* Called for the same strings in the same order as when the event was read. */

static void
judge_detect_write(void *data, uint64_t key, judge_str_t *text, bool whole)
{
    judge_detect_piece_t   *piece;
    judge_detect_stream_t  *s = data;

    if (s->written == s->first->n) {
        s->skip = JUDGE_SKIP_FAILED;
        return;
    }

    piece = &s->first->pieces[s->written++];
    if (piece->changed) {
        *text = piece->out.len ? judge_buf_view(&piece->out) : JUDGE_STR("");
    }
}


/* Writes the event with its new JSON; its other lines stay. */

static void
judge_detect_anew(judge_detect_stream_t *s, judge_buf_t *out)
{
    judge_str_t      data, line, raw = s->first->raw;
    judge_json_t    *root;
    judge_extract_t  e = *s->e;

    judge_arena_reset(s->arena);
    e.watch = &s->writing;
    e.format = NULL;
    s->written = 0;

    if (!judge_extract_data(s->arena, raw, &data)
        || judge_json_parse(s->arena, data, &root, NULL) != JUDGE_OK
        || judge_extract_delta(&e, root) != JUDGE_SKIP_NONE
        || (data = judge_json_value_text(s->arena, root)).data == NULL)
    {
        s->skip = JUDGE_SKIP_FAILED;
        return;
    }

    while (raw.len) {
        line = judge_str_until(&raw, '\n');
        if (!judge_str_starts(line, JUDGE_STR("data"))) {
            judge_buf_str(out, line);
            judge_buf_c(out, "\n");
        } else if (data.len) {
            judge_buf_c(out, "data: ");
            judge_buf_str(out, data);
            judge_buf_c(out, "\n");
            data.len = 0;
        }
    }
}


static void
judge_detect_drop(judge_detect_stream_t *s)
{
    size_t                 i;
    judge_detect_event_t  *event = s->first;

    s->first = event->next;
    s->last = s->first ? s->last : &s->first;
    s->held -= sizeof(*event) + event->n * sizeof(*event->pieces)
               + event->raw.len;
    for (i = 0; i < event->n; i++) {
        judge_buf_free(&event->pieces[i].out);
    }
    for (i = 0; i < s->nlanes; i++) {
        if (s->lanes[i].put == event) {
            s->lanes[i].put = NULL;
        }
    }
    free(event);
}


static void
judge_detect_send(judge_detect_stream_t *s, judge_buf_t *out)
{
    bool                         changed;
    size_t                       i;
    const judge_detect_piece_t  *piece;

    while (s->first && s->skip == JUDGE_SKIP_NONE && s->d->blocked == NULL) {
        for (i = 0, changed = false; i < s->first->n; i++) {
            piece = &s->first->pieces[i];
            changed = changed || piece->changed;
            if (piece->lane && piece->begin + piece->len
                               > piece->lane->settled)
            {
                return;
            }
        }

        if (changed) {
            judge_detect_anew(s, out);
        } else {
            judge_buf_str(out, s->first->raw);
        }
        judge_detect_drop(s);
    }
}


/* --- The stream ---------------------------------------------------------- */

judge_skip_e
judge_detect_stream_pump(judge_detect_stream_t *s, bool final,
    judge_buf_t *out)
{
    size_t  i;

    if (final && s->e->skip == JUDGE_SKIP_NONE) {
        judge_extract_finish(s->e, s->arena);
        s->e->skip = s->e->skip == JUDGE_SKIP_NO_TEXT
                     || s->e->skip == JUDGE_SKIP_NO_BODY
                     ? JUDGE_SKIP_NONE : s->e->skip;
    }

    s->skip = s->skip == JUDGE_SKIP_NONE ? s->e->skip : s->skip;
    s->ends = s->ends || final;

    for (i = 0; i < s->nlanes && s->skip == JUDGE_SKIP_NONE; i++) {
        judge_detect_scan(s, &s->lanes[i]);
    }

    s->ends = false;
    s->skip = s->skip == JUDGE_SKIP_NONE && s->d->failed ? JUDGE_SKIP_FAILED
                                                         : s->skip;
    judge_detect_send(s, out);

    return s->skip == JUDGE_SKIP_NONE && out->failed ? JUDGE_SKIP_FAILED
                                                     : s->skip;
}


static size_t
judge_detect_hold(const judge_detect_t *d)
{
    size_t                      k, n, hold;
    const judge_detect_rule_t  *rule;

    hold = d->restore ? JUDGE_DETECT_PLACEHOLDER : 0;

    for (rule = d->rules; rule; rule = rule->next) {
        for (k = 0; k < JUDGE_DETECTORS
                    && (rule->directions & d->directions); k++)
        {
            n = !(rule->detectors >> k & 1) ? 0
                : k == JUDGE_DETECT_WORDS ? rule->words.width
                : k == JUDGE_DETECT_LEAK ? rule->leak.width
                : k == JUDGE_DETECT_EXPRESSIONS ? rule->width
                : judge_detectors[k].hold;
            hold = n > hold ? n : hold;
        }
    }

    return hold;
}


judge_detect_stream_t *
judge_detect_stream_create(judge_detect_t *d, judge_extract_t *e)
{
    judge_detect_stream_t  *s;

    s = calloc(1, sizeof(*s));
    if (s == NULL) {
        return NULL;
    }

    s->arena = judge_arena_create(4096);
    if (s->arena == NULL) {
        free(s);
        return NULL;
    }

    s->d = d;
    s->d->scratch = s->arena;
    s->e = e;
    s->hold = judge_detect_hold(d);
    s->last = &s->first;
    s->watch = (judge_extract_watch_t) { judge_detect_piece,
                                         judge_detect_event, s };
    s->writing = (judge_extract_watch_t) { judge_detect_write, NULL, s };
    e->watch = &s->watch;

    return s;
}


size_t
judge_detect_stream_size(const judge_detect_stream_t *s)
{
    return sizeof(*s) + 2 * s->held;
}


void
judge_detect_stream_free(judge_detect_stream_t *s)
{
    size_t  i;

    if (s == NULL) {
        return;
    }

    while (s->first) {
        judge_detect_drop(s);
    }

    for (i = 0; i < s->npieces; i++) {
        judge_buf_free(&s->pieces[i].out);
    }
    for (i = 0; i < s->nlanes; i++) {
        judge_buf_free(&s->lanes[i].text);
    }

    s->e->watch = NULL;
    judge_arena_destroy(s->arena);
    free(s);
}
