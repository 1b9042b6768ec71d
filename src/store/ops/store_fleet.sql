-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Limits that the nodes of a fleet share.


-- A node's fair share is proportional to its use, but leaves one unit to each
-- other node.  A node's use counts as a fraction of the busiest node's at
-- least, so that an idle node can begin.  A node gets no more than the leases
-- of the other nodes leave, which shrink when these are renewed.  A node does
-- not wait for the lock of another one, which may hang: it gets JUDGE_CONFLICT
-- and tries again.

$fleet_alive = CASE WHEN expires > :latest THEN $1 ELSE 0 END

$fleet_sum = CAST(COALESCE($1, 0) AS BIGINT)

%op fleet_lease write
% unless_rows=CONFLICT
UPDATE allowances
    SET expires = CASE WHEN expires BETWEEN :now AND :now + 60000
        THEN expires ELSE :now END
    WHERE org = '' AND name = '' AND node = (SELECT node FROM allowances
        WHERE org = '' AND name = '' AND node = '' $skip_locked)
    RETURNING :{expires AS latest}
% each=rows
INSERT INTO allowances (org, name, node, share, fair, others, used, expires)
    SELECT @org, @name, :node,
        CASE WHEN can < @least THEN @least ELSE can END, want, others, mine,
        :latest + $JUDGE_FLEET_LEASE
    FROM (SELECT want, others, mine,
            CASE WHEN free < want THEN free ELSE want END AS can
        FROM (SELECT free, others, mine, CASE WHEN fair < 1 OR most < 1 THEN 1
            WHEN fair < most THEN fair ELSE most END AS want
        FROM (SELECT @units - taken AS free, @units - nodes AS most, others,
            mine, @units * mine / (mine + theirs) AS fair
        FROM (SELECT taken, nodes, theirs, others,
            CASE WHEN @used < busiest / $JUDGE_FLEET_LEAST
            THEN busiest / $JUDGE_FLEET_LEAST ELSE @used END AS mine
        FROM (SELECT $fleet_sum(SUM($fleet_alive(share))) AS taken,
            $fleet_sum(SUM($fleet_alive(1))) AS nodes,
            $fleet_sum(SUM($fleet_alive(used))) AS theirs,
            $fleet_sum(MAX($fleet_alive(used))) AS busiest,
            $fleet_sum(SUM(CASE WHEN expires > :latest - @window THEN 1
            ELSE 0 END)) AS others
            FROM allowances
            WHERE org = @org AND name = @name AND node <> :node) AS sums)
        AS uses) AS shares) AS wants) AS cans
    WHERE true
    ON CONFLICT (org, name, node) DO UPDATE SET share = excluded.share,
        fair = excluded.fair, others = excluded.others, used = excluded.used,
        expires = excluded.expires
    RETURNING @{share, fair, others}
% when=clean
DELETE FROM allowances WHERE expires < :latest - $JUDGE_FLEET_FORGOTTEN
