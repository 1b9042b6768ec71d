/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Where in a text the passages stand that feedback speaks of.

// What feedback quotes: the passages of a record, or what stands between
// quotation marks in a sentence.
export function passages(item) {
    const own = (item.passages ?? [])
        .map(p => ({ quote: p.quote, start: p.start, end: p.end, note: p.note }));
    const seen = new Set(own.map(p => p.quote));

    for (const check of item.checks ?? []) {
        for (const p of check.passages ?? []) {
            own.push({ quote: p.quote, start: p.start, end: p.end, note: p.note });
        }
    }
    for (const [, quote] of (item.feedback ?? '')
            .matchAll(/["“„«]([^"“”„»]{3,400})["”“»]/g))
    {
        if (!seen.has(quote)) {
            own.push({ quote });
        }
    }
    return own;
}

// Offsets of a record are in Unicode code points, those of strings are not.
export function units(text, point) {
    let at = 0;

    for (let i = 0; i < point && at < text.length; i++) {
        at += text.codePointAt(at) > 0xffff ? 2 : 1;
    }
    return at;
}

// The place of a passage as [start, end], or null when it is not in the text.
function place(text, { quote, start, end }) {
    if (start != null && end > start) {
        const from = units(text, start), to = units(text, end);
        if (!quote || text.slice(from, to) === quote) {
            return [from, to];
        }
    }
    if (!quote) {
        return null;
    }

    let at = text.indexOf(quote);
    if (at < 0) {
        at = text.toLowerCase().indexOf(quote.toLowerCase());
    }
    if (at >= 0) {
        return [at, at + quote.length];
    }

    // Blanks and line feeds of the text may have become one blank.
    const pattern = quote.trim().split(/\s+/)
        .map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+');
    const found = pattern && new RegExp(pattern, 'i').exec(text);
    return found ? [found.index, found.index + found[0].length] : null;
}

// The text in pieces: [text, marks], where marks are the numbers of the items
// (criteria) that speak of this piece.
export function pieces(text, items) {
    const found = [];

    items.forEach((item, mark) => {
        for (const passage of passages(item)) {
            const span = place(text, passage);
            if (span) {
                found.push({ span, mark });
            }
        }
    });

    const edges = [...new Set([0, text.length,
                               ...found.flatMap(f => f.span)])]
        .sort((a, b) => a - b);

    return edges.slice(1).map((end, i) => {
        const start = edges[i];
        return [text.slice(start, end),
                [...new Set(found
                    .filter(f => f.span[0] <= start && end <= f.span[1])
                    .map(f => f.mark))]];
    });
}
