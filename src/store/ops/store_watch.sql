-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Many scores at once.


$scores_of_judge = evaluations INDEXED BY evaluations_judge_done
    WHERE org = :org AND judge_id = :judge_id AND status = 'completed'
        AND id > :after AND id < :until

$scores_of_batch = evaluations INDEXED BY evaluations_batch
    WHERE org = :org AND batch_id = :batch_id
        AND id > :after AND id < :until

-- Only of what is taken more than the index is read.
$score_list =
    SELECT @{ready.id, $result(e, body, bodies) AS body#packed,
        e.review > 0 AS review, e.status = 'completed'
        AND e.judge_id = :judge_id AS counts}
    FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS n
        FROM $1 ORDER BY id LIMIT :limit * :stride) AS ready
    JOIN evaluations e ON e.org = :org AND e.id = ready.id
    WHERE ready.n % :stride = 0
    ORDER BY ready.id


%op corrected_list bulk
% list=rows limit=limit
SELECT @{x.evaluation_id, x.criterion_id, AVG(x.target) AS human,
        MAX(x.given) AS given, e.overall_score AS overall,
        e.review > 0 AS review}
    FROM examples x
    CROSS
    JOIN evaluations e ON e.org = x.org AND e.id = x.evaluation_id
    WHERE x.org = :org AND x.judge_id = :judge_id
        AND (x.evaluation_id, x.criterion_id) > (:after, :after_criterion)
        AND x.evaluation_id < :until AND x.kind = 'correction'
        AND x.given IS NOT NULL AND e.status = 'completed'
        AND (:batch_id IS NULL OR e.batch_id = :batch_id)
    GROUP BY x.evaluation_id, x.criterion_id
    ORDER BY x.evaluation_id, x.criterion_id LIMIT :limit


%op score_count bulk
% when=!batch_id engine=sqlite
SELECT :{COUNT(*) AS count, MAX(id) AS last}
    FROM (SELECT id FROM $scores_of_judge
        ORDER BY id LIMIT :limit) AS ready
% when=batch_id engine=sqlite
SELECT :{COUNT(*) AS count, MAX(id) AS last}
    FROM (SELECT id FROM $scores_of_batch
        ORDER BY id LIMIT :limit) AS ready


%op score_list bulk
% when=!batch_id list=rows limit=limit engine=sqlite
$score_list($scores_of_judge)
% when=batch_id list=rows limit=limit engine=sqlite
$score_list($scores_of_batch)
