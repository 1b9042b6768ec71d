/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Charts by uPlot, in the colours of the style sheet, with words for those
// who don't see them.

import { html, useEffect, useRef } from './base.js';
import { clock, number, percent } from './i18n.js';
import uPlot from '../vendor/uplot.js';

const dark = matchMedia('(prefers-color-scheme: dark)');

const colour = name => getComputedStyle(document.documentElement)
    .getPropertyValue(`--${name}`).trim();

const axis = (more = {}) => ({
    stroke: colour('quiet'), font: '12px system-ui, sans-serif',
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false }, ...more });

// make(width) gives the options; drawn anew when data, the width or the
// colours change.
function Chart({ make, data, height = 220, label }) {
    const box = useRef();

    useEffect(() => {
        let plot, width = 0;

        const draw = () => {
            plot?.destroy();
            plot = new uPlot({ width, height, legend: { show: false },
                cursor: { show: false }, ...make() }, data, box.current);
        };
        const watch = new ResizeObserver(([entry]) => {
            const now = Math.floor(entry.contentRect.width);
            if (now && now !== width) {
                width = now;
                draw();
            }
        });

        watch.observe(box.current);
        dark.addEventListener('change', draw);
        return () => {
            watch.disconnect();
            dark.removeEventListener('change', draw);
            plot?.destroy();
        };
    }, [data]);

    return html`<div class="chart" role="img" aria-label=${label} ref=${box}
        style=${{ height: `${height}px` }}></div>`;
}

const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

// series: [[name, values, second], …] over xs.
export function Lines({ xs, series, label, x = {}, y = {}, height, time,
                        points }) {
    const data = [xs, ...series.map(([, values]) => values)];

    const digits = step => Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    const make = () => ({
        scales: { x: { time: !!time, ...x }, y },
        axes: [axis({ size: 28, space: time ? 90 : 50, ...time
                 ? { values: (u, vs, i, space, step) =>
                         vs.map(v => clock(v * 1000, step)) }
                 : { incrs: WHOLE, values: (u, vs) => vs.map(v => number(v)) } }),
               axis({ size: 46, values: (u, vs, i, space, step) =>
                   vs.map(v => number(v, digits(step))) })],
        series: [{}, ...series.map(([name, , second]) => ({
            label: name, width: points ? 0 : 2,
            dash: second ? [5, 4] : undefined,
            stroke: colour(second ? 'quiet' : 'accent'),
            // A line of one point would show nothing.
            points: { show: points || xs.length === 1 || undefined, size: 6,
                      fill: colour('accent') } }))],
    });

    return html`<figure>
        <${Chart} make=${make} data=${data} height=${height} label=${label} />
        ${series.length > 1 && html`<figcaption class="legend">
            ${series.map(([name, , second]) => html`
                <span key=${name} class=${second ? 'second' : ''}>${name}</span>`)}
        </figcaption>`}
    </figure>`;
}

// Ten bars, each for ten points.
export function Histogram({ values, label, height = 120 }) {
    const counts = Array(10).fill(0);

    for (const value of values) {
        counts[Math.min(9, Math.floor(value / 10))]++;
    }
    const most = Math.max(1, ...counts);

    return html`<div class="histogram" role="img"
        aria-label=${`${label}: ${counts.map((n, i) =>
            n ? `${i * 10}–${i * 10 + 10}: ${n}` : '').filter(Boolean).join(', ')}`}
        style=${{ height: `${height}px` }}>
        ${counts.map((n, i) => html`<div key=${i} title=${
            `${i * 10}–${i * 10 + 10}: ${n}`}>
            <small>${n || ''}</small>
            <i style=${{ height: `${n / most * (height - 44)}px` }}></i>
            <span>${i * 10}</span></div>`)}
    </div>`;
}

// The shares of two sets of scores that lie in each twentieth, beside each
// other: each set is a whole, however many it has.
export function Shares({ now, before, names, label, height = 150 }) {
    const shares = counts => {
        const all = counts.reduce((a, b) => a + b, 0) || 1;
        return counts.map(n => n / all);
    };
    const both = [shares(before), shares(now)];
    const most = Math.max(...both.flat()) || 1;
    const says = i => both.map(set => percent(set[i])).reverse().join(' / ');

    return html`<figure><div class="histogram shares" role="img"
        aria-label=${`${label}: ${now.map((n, i) => n || before[i]
            ? `${i * 5}–${i * 5 + 5}: ${says(i)}` : '').filter(Boolean).join(', ')}`}
        style=${{ height: `${height}px` }}>
        ${now.map((n, i) => html`<div key=${i}
            title=${`${i * 5}–${i * 5 + 5}: ${says(i)}`}>
            <p>${both.map((set, which) => html`<i key=${which}
                class=${which ? '' : 'second'}
                style=${{ height: `${set[i] / most * (height - 30)}px` }}></i>`)}
            </p><span>${i % 2 ? '\u00a0' : i * 5}</span></div>`)}
        </div><figcaption class="legend"><span>${names[0]}</span>
            <span class="second">${names[1]}</span></figcaption></figure>`;
}

// Points of two scores from 0 to 100, with the line where both are equal.
export function Scatter({ points, across, up, label, height = 300 }) {
    const sorted = [...points].sort((a, b) => a[0] - b[0]);
    const data = [sorted.map(p => p[0]), sorted.map(p => p[1])];

    const make = () => ({
        scales: { x: { time: false, range: [0, 100] },
                  y: { range: [0, 100] } },
        axes: [axis({ size: 28, label: across, labelSize: 20, labelFont:
                      '12px system-ui, sans-serif' }),
               axis({ label: up, size: 40, labelSize: 20, labelFont:
                      '12px system-ui, sans-serif' })],
        series: [{}, { stroke: colour('accent'), paths: () => null,
            points: { show: true, size: 7, fill: colour('accent'), width: 0 } }],
        hooks: { drawClear: [u => {
            u.ctx.save();
            u.ctx.strokeStyle = colour('quiet');
            u.ctx.setLineDash([4, 4]);
            u.ctx.beginPath();
            u.ctx.moveTo(u.valToPos(0, 'x', true), u.valToPos(0, 'y', true));
            u.ctx.lineTo(u.valToPos(100, 'x', true), u.valToPos(100, 'y', true));
            u.ctx.stroke();
            u.ctx.restore();
        }] },
    });

    return html`<${Chart} make=${make} data=${data} height=${height}
        label=${`${label}: ${across} / ${up}, ${points.length}`} />`;
}
