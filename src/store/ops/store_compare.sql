-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Batches whose contents are the answers of systems, and what people prefer.


%op comparison_find bulk
% row=row unless_rows=NOT_FOUND
SELECT @{$batch_columns} FROM batches
    WHERE org = :org AND id = :id AND (:any = 1 OR systems IS NOT NULL)
% when=!any
SELECT :{systems, pairs, pairs_at, (SELECT content_ids FROM batch_texts t
        WHERE t.org = b.org AND t.batch_id = b.id) AS row.content_ids,
        (SELECT coalesce(SUM(calls), 0) FROM pair_answers p
        WHERE p.org = b.org AND p.batch_id = b.id) AS calls}
    FROM batches b
    WHERE org = :org AND id = :id
% row=judge
SELECT @{v.name, v.description, v.criteria, v.scope, v.panel}
    FROM batches b CROSS JOIN json_each(b.judge_ids) c
        CROSS JOIN json_each(b.judge_versions) n CROSS JOIN judge_versions v
    WHERE b.org = :org AND b.id = :id AND n.key = c.key
        AND c.value = coalesce(:judge_id, c.value) AND v.org = :org
        AND v.judge_id = c.value AND v.version = CAST(n.value AS INTEGER)
    ORDER BY c.key LIMIT 1


%op comparison_list bulk page
% list=rows
SELECT @{id, name, status, total, created_at, completed_at, judge_ids, systems}
    FROM batches INDEXED BY batches_systems
    WHERE org = :org AND id < coalesce(:page.before, '~')
        AND systems IS NOT NULL
    ORDER BY id DESC LIMIT :page.limit + 1


%op comparison_load bulk
% each=rows:count
SELECT @{e.id, $result(e, body, bodies) AS body#packed, c.size,
        substr(CAST(c.text_content AS BLOB), 1, :max_text) AS text,
        c.metadata, e.model}
    FROM evaluations e
    JOIN contents c ON c.org = e.org AND c.id = e.content_id
    WHERE e.org = :org AND e.content_id = @content_id AND e.batch_id = :id
        AND e.judge_id = :judge_id
% list=answers:nanswers limit=max_answers
SELECT @{item, first, second, answered_at, model, calls, tokens, answer}
    FROM pair_answers
    WHERE org = :org AND batch_id = :id AND judge_id = :judge_id
        AND item >= :first AND item <= :last
    ORDER BY item, first, second LIMIT :max_answers
% list=preferences:npreferences limit=max_preferences when=max_preferences
SELECT @{item, criterion_id, submitted_by, person, winner, submitted_at,
        comment}
    FROM preferences
    WHERE org = :org AND batch_id = :id AND item >= :first AND item <= :last
    ORDER BY item, criterion_id, submitted_by, person LIMIT :max_preferences


-- Replaces an earlier preference of the same key and person.

%op preference_create write
%
INSERT INTO preferences (org, batch_id, item, criterion_id, submitted_by,
        person, winner, submitted_at, comment)
    SELECT org, id, :row.item, :row.criterion_id, :row.submitted_by,
        :row.person, :row.winner, :row.submitted_at, :row.comment
    FROM batches
    WHERE org = :org AND id = :id AND systems IS NOT NULL
    ON CONFLICT (org, batch_id, item, criterion_id, submitted_by, person)
        DO UPDATE SET winner = excluded.winner,
        submitted_at = excluded.submitted_at, comment = excluded.comment
% when=!changed unless_rows=NOT_FOUND
SELECT 1 FROM batches WHERE org = :org AND id = :id AND systems IS NOT NULL


-- --- Pairs that a language model compares -----------------------------------

$pairs_due = pairs_at <= $1 AND completed_at IS NOT NULL

$pairs_held = org = :org AND id = :id AND pairs_owner = :owner
        AND pairs_at IS NOT NULL

%op pairs_peek inline of=judge_peek_t
%
SELECT :{EXISTS (SELECT 1 FROM batches WHERE $pairs_due(:now)) AS pending}


%op pairs_claim write
% unless_rows=NOT_FOUND
UPDATE batches
    SET pairs_at = :claim.lease.until, pairs_owner = :claim.lease.owner,
        pairs_tries = pairs_tries + 1
    WHERE (org, id) = (SELECT org, id FROM batches
        WHERE $pairs_due(:claim.now) ORDER BY pairs_at LIMIT 1 $skip_locked)
    RETURNING :{org AS organization, id, judge_ids, completed_at,
        pairs_tries AS tries}


-- Prolongs the lease, gives it back until a time, or ends it.
%op pairs_lease write
% unless_changed=CONFLICT
UPDATE batches
    SET pairs_at = :due_at?, pairs_owner = CASE WHEN :release = 1 THEN NULL
            ELSE pairs_owner END,
        pairs_tries = pairs_tries
            - CASE WHEN :spare = 1 AND pairs_tries > 0 THEN 1 ELSE 0 END
    WHERE $pairs_held


%op pair_create write
% unless_rows=CONFLICT
SELECT 1 FROM batches WHERE $pairs_held
%
INSERT INTO pair_answers (org, batch_id, judge_id, item, first, second,
        answered_at, model, calls, tokens, answer)
    VALUES (:org, :id, :judge_id, :row.item, :row.first, :row.second,
        :row.answered_at, :row.model, :row.calls, :row.tokens, :row.answer)
    ON CONFLICT (org, batch_id, judge_id, item, first, second) DO NOTHING
%
UPDATE batches SET pairs_tries = 0 WHERE $pairs_held AND pairs_tries > 0
