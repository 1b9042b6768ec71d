-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Annotation queues.


-- $annotated(PERSON): whether this person has given feedback on the item i.  A
-- comment alone gives no score.
$annotated = EXISTS (SELECT 1 FROM feedback f WHERE f.org = i.org
        AND f.evaluation_id = i.evaluation_id AND f.submitted_by_person = $1
        AND f.type <> 'comment')

-- The number of people who had the item i and have given feedback on it.
$annotation_done_by = (SELECT count(*) FROM annotation_turns t
        WHERE t.org = i.org AND t.queue_id = i.queue_id AND t.seq = i.seq
        AND $annotated(t.person))

-- $annotation_open(PEOPLE): whether :person can be given the item i, if each
-- item has so many people.  The turn of another person counts until its lease
-- ends, and for ever once that person has given feedback.
$annotation_open = i.org = :org AND i.queue_id = :id
        AND NOT $annotated(:person)
        AND EXISTS (SELECT 1 FROM evaluations e WHERE e.org = i.org
            AND e.id = i.evaluation_id)
        AND NOT EXISTS (SELECT 1 FROM annotation_turns t
            WHERE t.org = i.org AND t.queue_id = i.queue_id AND t.seq = i.seq
            AND t.person = :person AND t.left_at IS NOT NULL)
        AND $1 > (SELECT count(*) FROM annotation_turns t
            WHERE t.org = i.org AND t.queue_id = i.queue_id AND t.seq = i.seq
            AND t.person <> :person AND ($annotated(t.person)
            OR (t.left_at IS NULL AND t.until > :now)))

$annotation_columns = id, name, judge_id, batch_id, sampling, items, people,
        lease, created_at, (SELECT count(*) FROM annotation_items i
        WHERE i.org = q.org AND i.queue_id = q.id
        AND $annotation_done_by >= q.people) AS done


-- $annotation_newest(STATUS): the newest evaluations with it.
$annotation_newest = SELECT * FROM (SELECT org, id, review, error_code
            FROM evaluations
            WHERE org = :org AND judge_id = :row.judge_id
                AND status = '$1' AND (:row.batch_id IS NULL
                OR batch_id = :row.batch_id)
            ORDER BY id DESC LIMIT $JUDGE_ANNOTATION_OF) AS newest


%op annotation_create write
% unless_rows=NOT_FOUND
SELECT 1
    FROM judges
    WHERE org = :org AND id = :row.judge_id AND deleted_at IS NULL
% unless_rows=NOT_FOUND
SELECT 1
    WHERE :row.batch_id IS NULL OR EXISTS (SELECT 1 FROM batches
        WHERE org = :org AND id = :row.batch_id)
%
INSERT INTO annotation_items (org, queue_id, seq, evaluation_id)
    SELECT :org, :row.id, row_number() OVER (ORDER BY place, id DESC), id
    FROM (SELECT newest.id, CASE WHEN :row.sampling = 'random' THEN random()
            WHEN newest.review > 0 THEN 0 ELSE 1 END AS place
        FROM ($annotation_newest(completed)
            UNION ALL $annotation_newest(failed)
            WHERE error_code = 'NOT_JUDGED') AS newest
        ORDER BY place, id DESC LIMIT :row.items) AS placed
%
INSERT INTO annotation_queues (org, id, name, judge_id, batch_id, sampling,
        items, people, lease, created_at, asked_at)
    SELECT :org, :row.id, :row.name, :row.judge_id, :row.batch_id,
        :row.sampling, count(*), :row.people, :row.lease, :row.created_at, 0
    FROM annotation_items
    WHERE org = :org AND queue_id = :row.id
% unless_rows=CONFLICT
SELECT :{items AS row.items}
    FROM annotation_queues
    WHERE org = :org AND id = :row.id AND items > 0


%op annotation_list bulk page
% list=rows
SELECT @{$annotation_columns}
    FROM annotation_queues q
    WHERE org = :org AND id < coalesce(:page.before, '~')
    ORDER BY id DESC LIMIT :page.limit + 1


%op annotation_find bulk
% row=row unless_rows=NOT_FOUND
SELECT @{$annotation_columns}
    FROM annotation_queues q
    WHERE org = :org AND id = :id
% when=person
SELECT :{count(*) AS remaining}
    FROM annotation_items i
    WHERE $annotation_open(:row.people)
% list=people:npeople most=JUDGE_ANNOTATION_SHOWN
SELECT @{t.person, min(p.name) AS name,
        count(CASE WHEN $annotated(t.person) THEN 1 END) AS done,
        count(CASE WHEN t.left_at IS NOT NULL AND NOT $annotated(t.person)
            THEN 1 END) AS skipped,
        count(CASE WHEN t.left_at IS NULL AND t.until > :now
            AND NOT $annotated(t.person) THEN 1 END) AS held}
    FROM annotation_turns t
    JOIN annotation_items i ON i.org = t.org AND i.queue_id = t.queue_id
        AND i.seq = t.seq
    LEFT JOIN people p ON p.org = t.org AND p.id = t.person
    WHERE t.org = :org AND t.queue_id = :id
    GROUP BY t.person
    ORDER BY t.person LIMIT $JUDGE_ANNOTATION_SHOWN


-- The update locks the queue: no two people get the last turn of an item.

%op annotation_next write
% unless_rows=NOT_FOUND
UPDATE annotation_queues
    SET asked_at = :now
    WHERE org = :org AND id = :id
    RETURNING :{people, lease}
% unless_rows=CONFLICT
INSERT INTO annotation_turns (org, queue_id, seq, person, until)
    SELECT i.org, i.queue_id, i.seq, :person, :now + :lease
    FROM annotation_items i
    WHERE $annotation_open(:people)
    ORDER BY CASE WHEN EXISTS (SELECT 1 FROM annotation_turns t
            WHERE t.org = i.org AND t.queue_id = i.queue_id AND t.seq = i.seq
            AND t.person = :person AND t.until > :now) THEN 0 ELSE 1 END,
        i.seq
    LIMIT 1
    ON CONFLICT (org, queue_id, seq, person)
        DO UPDATE SET until = excluded.until
    RETURNING :{seq, until}
%
SELECT :{evaluation_id}
    FROM annotation_items
    WHERE org = :org AND queue_id = :id AND seq = :seq


%op annotation_leave write
% unless_changed=NOT_FOUND
UPDATE annotation_turns
    SET left_at = :now
    WHERE org = :org AND queue_id = :id AND person = :person
        AND seq IN (SELECT i.seq FROM annotation_items i WHERE i.org = :org
        AND i.queue_id = :id AND i.evaluation_id = :evaluation_id)


%op annotation_delete write
%
DELETE FROM annotation_turns WHERE org = :org AND queue_id = :id
%
DELETE FROM annotation_items WHERE org = :org AND queue_id = :id
% unless_changed=NOT_FOUND
DELETE FROM annotation_queues WHERE org = :org AND id = :id


-- The score that each person gave: by a correction, or else by an approval of
-- the judge's score.  Approvals of overall scores do not count: whoever
-- corrects a criterion says nothing about the overall score.

%op annotation_opinions bulk of=judge_opinion_list_t
% list=rows most=JUDGE_OPINIONS
SELECT @{i.evaluation_id, e.criterion_id, coalesce(avg(CASE
        WHEN e.kind = 'correction' THEN e.target END), avg(e.target)) AS score}
    FROM annotation_queues q
    JOIN annotation_items i ON i.org = q.org AND i.queue_id = q.id
        AND $annotation_done_by >= q.people
    JOIN annotation_turns t ON t.org = i.org AND t.queue_id = i.queue_id
        AND t.seq = i.seq
    JOIN feedback f ON f.org = i.org AND f.evaluation_id = i.evaluation_id
        AND f.submitted_by_person = t.person
    JOIN examples e ON e.org = i.org AND e.judge_id = :judge_id
        AND e.evaluation_id = i.evaluation_id AND e.feedback_id = f.id
    WHERE q.org = :org AND q.id = :queue_id AND (e.kind = 'correction'
        OR (e.kind = 'approval' AND e.criterion_id <> ''))
    GROUP BY i.evaluation_id, e.criterion_id, t.person
    ORDER BY i.evaluation_id DESC, e.criterion_id, t.person
    LIMIT $JUDGE_OPINIONS
