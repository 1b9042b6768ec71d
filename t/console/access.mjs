// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause

// The way of a person who uses the keyboard alone, hears what is shown, or
// has a narrow screen.  It prints lines as walk.mjs does, and leaves nothing
// behind in the service.

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const set = JSON.parse(readFileSync(process.argv[2]));
const { chromium } = createRequire(set.modules + '/')('playwright-core');
const SECONDS = 60000;

const ok = (value, name, more = '') => console.log(value ? `ok ${name}`
    : `not ok ${name} ${more}`.replace(/\s+/g, ' '));

async function api(method, path, json) {
    const r = await fetch(set.service + path, { method, headers: {
        'X-API-Key': set.key, 'Content-Type': 'application/json' },
        body: json && JSON.stringify(json) });
    return r.status === 204 ? {} : r.json();
}

const browser = await chromium.launch({ executablePath: set.chromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
const page = await browser.newPage({ locale: 'en-GB',
    viewport: { width: 320, height: 640 } });

page.setDefaultTimeout(SECONDS);
page.on('dialog', dialog => dialog.accept());

const field = name => page.getByLabel(name, { exact: true });
const button = name => page.getByRole('button', { name, exact: true });
const text = () => page.locator('body').innerText();
const focused = () => page.evaluate(() => {
    const at = document.activeElement;
    return `${at.tagName} ${at.type === 'password' ? '' : at.innerText}`.trim();
});

async function until(what, name) {
    const end = Date.now() + SECONDS / 3;
    let value;

    while (!(value = await what()) && Date.now() < end) {
        await new Promise(r => setTimeout(r, 50));
    }
    ok(value, name, value ? '' : `${await focused()}: ${await text()}`);
}

async function go(path) {
    await page.goto(`${set.console}#/${path}`);
    await page.locator('main h1').first().waitFor();
}

async function signIn() {
    await page.goto(set.console);
    await field('Your key').fill('nonsense');
    await button('Sign in').press('Enter');
    await until(async () => /This key is unknown/.test(await text())
        && await focused() === 'INPUT', 'a refused key has the focus');
    ok(await field('Your key').evaluate(e => e.ariaInvalid === 'true'
        && /unknown/.test(document.getElementById(
            e.getAttribute('aria-describedby')).innerText)),
       'and is described by what is wrong with it');
    await field('Your key').fill(set.key);
    await button('Sign in').press('Enter');
    await until(async () => /^H1 /.test(await focused()),
                'after signing in, the focus is on the heading');
}

// A page waits behind the signing in where a key is refused.
async function signInAgain() {
    const made = await api('POST', '/api-keys', { name: 'Access',
                                                  permissions: ['*'] });
    await page.evaluate(key => sessionStorage.setItem('judge.key', key),
                        made.api_key);
    await page.reload();
    await go('judges/new');
    await button('+ Add a criterion').press('Enter');
    await page.getByLabel('What it asks for').fill('It is brief.');
    await api('PATCH', `/api-keys/${made.api_key_id}`,
              { status: 'suspended' });
    await page.locator('.edit').getByLabel('Name', { exact: true })
        .fill('Brevity');
    await field('Your key').fill(set.key);
    await button('Sign in').press('Enter');
    await until(async () => await focused() === 'H1 New judge',
                'and on that of a page that waited for another key');
    await api('DELETE', `/api-keys/${made.api_key_id}`);
}

async function nowhere() {
    await go('nonsense');
    await until(async () => await page.title() === 'Page not found · Judge'
        && await focused() === 'H1 Page not found',
                'a page that is not found has a title of its own');
}

// What is missing before a judge can be saved stands beside the button.
async function saving() {
    await go('judges/new');
    const said = () => button('Save judge').evaluate(e => document
        .getElementById(e.getAttribute('aria-describedby')).innerText);
    await button('Save judge').waitFor();
    await until(async () => await said() === 'Add a criterion first.',
                'a judge without criteria says that it lacks one');
    await button('+ Add a criterion').press('Enter');
    await until(async () => await said() === 'Give the judge a name first.',
                'and one without a name says that');
}

async function judging(judge) {
    await go(`try?judge=${judge}`);
    await page.getByRole('textbox', { name: 'Text', exact: true })
        .fill('A text of five words.');
    await button('Judge it').press('Enter');
    await until(async () => await focused() === 'H2 Result',
                'the heading of a result has the focus once it is there');
    await page.route('**/content', route => route.abort());
    await button('Judge it').press('Enter');
    await until(async () => /does not send this again by itself/.test(
        await focused()), 'what was not sent is not said to be tried again');
    await page.unroute('**/content');
    await page.getByRole('link', { name: 'Link to this result' })
        .press('Enter');
    await page.locator('.overall > b').waitFor();
    const levels = await page.locator('main').locator('h1, h2, h3, h4')
        .evaluateAll(list => list.map(e => Number(e.tagName[1])));
    ok(levels.every((n, i) => !i || n - levels[i - 1] <= 1),
       'no level of headings is left out on a result', levels.join());
    const wide = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        ...[...document.querySelectorAll('main *')].filter(e =>
            e.getBoundingClientRect().right > innerWidth)
            .map(e => e.outerHTML.slice(0, 60))]);
    ok(wide[0] <= 320, 'and nothing is wider than 320 px', wide.join());
    const small = await page.locator('main').locator('button, summary')
        .evaluateAll(list => list.filter(e => e.offsetHeight
            && (e.offsetHeight < 24 || e.offsetWidth < 24))
            .map(e => e.outerHTML.slice(0, 60)));
    ok(!small.length, 'nor is a target smaller than 24 px', small.join());
}

async function keys(judge) {
    await go(`correct/${judge}`);
    const output = page.locator('.sheet output').first();
    const score = () => output.innerText();
    const use = field('Use single keys as shortcuts');

    await output.waitFor();
    await page.locator('main h1').press('3');
    await until(async () => await score() === '30', 'a key gives a score');
    await use.press('Space');
    ok(!await use.isChecked(), 'shortcuts can be turned off');
    await page.locator('main h1').press('ArrowUp');
    await page.locator('main h1').press('7');
    ok(await score() === '30', 'then no single key gives one', await score());
    await page.reload();
    await use.waitFor();
    ok(!await use.isChecked(), 'and the browser remembers it');
    await use.press('Space');
    ok(await use.isChecked(), 'they can be turned on again');
}

// The service answers in English, which a voice of another language would
// read wrongly.
async function tongues() {
    await page.setViewportSize({ width: 1280, height: 800 });
    await go('batches/new');
    await page.locator('.tongue select').selectOption('es');
    await page.locator('input[type=file]').setInputFiles({ name: 'A.csv',
        mimeType: 'text/csv', buffer: Buffer.from('') });
    await page.locator('[role=alert] q').waitFor();
    ok(await page.locator('[role=alert] q').getAttribute('lang') === 'en',
       'what the service says in English bears its language');
    await page.locator('.tongue select').selectOption('en');
}

async function table() {
    await go('batches/new');
    await page.locator('input[type=file]').setInputFiles({ name: 'A.csv',
        mimeType: 'text/csv', buffer: Buffer.from('nr,essay\n1,Some words.\n') });
    await until(async () => (await page.locator('[role=status]')
        .allInnerTexts()).some(said => /^Columns: 2\. About 1 row/.test(said)),
        'the rows and columns of a table are announced');
}

async function main() {
    const { judge_id: judge } = await api('POST', '/v1/judges', {
        name: 'Access', description: '', content_type: 'text', criteria: [
            { name: 'Brevity', description: 'At most 40 words.', checks: [
                { type: 'max_words', value: 40 } ] } ] });
    await signIn();
    await signInAgain();
    await nowhere();
    await saving();
    await judging(judge);
    await keys(judge);
    await table();
    await tongues();

    for (const one of (await api('GET', `/evaluations?judge_id=${judge}`))
        .evaluations)
    {
        await api('DELETE', `/content/${one.content_id}`);
    }
    await api('DELETE', `/judges/${judge}`);
    console.log('done');
}

await main().catch(async e => ok(false, 'the way goes on',
    `${e} at ${page.url()}: ${await text().catch(() => '')}`))
    .finally(() => browser.close());
