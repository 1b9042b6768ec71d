// A judge, a text, its scores, and a correction; with what Node.js brings.
//
//     . run/env && node docs/examples/first.mjs

async function call(method, path, body, headers = {}) {
    const answer = await fetch(process.env.JUDGE_URL + path, {
        method, body: body && JSON.stringify(body),
        headers: { 'X-API-Key': process.env.JUDGE_API_KEY,
                   'Content-Type': 'application/json', ...headers } });
    const data = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${data.detail}`);
    return data;
}

const judge = await call('POST', '/judges', {
    name: 'Answers to customers',
    description: 'Replies of our support to customers who wrote to us.',
    content_type: 'text',
    criteria: [
        { name: 'Clarity', description: 'Plain words, short sentences.' },
        { name: 'Warmth', description: 'Friendly and respectful.' },
    ] });

// Prefer: wait makes the answer come with the result.
const evaluation = await call('POST', '/evaluations/single', {
    judge_id: judge.judge_id,
    text_content: 'Dear Ms Weber, thank you for telling us. The lamp that'
                  + ' broke will be replaced: a new one left our warehouse'
                  + ' this morning and should be with you on Thursday.'
                  + ' Please keep the old one, we do not need it back.',
}, { Prefer: 'wait=30' });

console.log(evaluation.overall_score, evaluation.summary);
for (const { name, score, feedback } of evaluation.criteria_scores)
    console.log(score, `${name}: ${feedback}`);
for (const { name, reason } of evaluation.not_judged ?? [])
    console.log('-', `${name}: ${reason}`);

// What a person thinks of it; training learns from such corrections, also what
// nothing judges yet.
const warmth = judge.criteria[1].criterion_id;
const feedback = await call(
    'POST', `/feedback/evaluation/${evaluation.evaluation_id}`, {
        type: 'correction',
        content: { corrected_scores: { [warmth]: 90 },
                   comment: 'It says what comes next, and asks for nothing.' },
    });
console.log('corrected:', feedback.feedback_id);
