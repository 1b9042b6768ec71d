-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Limits that the nodes of a fleet share.


-- A node gets as much as it used of what all did, but no more than the others
-- have left; whoever has too much gives it back when it comes the next time.

$fleet_alive = CASE WHEN expires > :at THEN $1 ELSE 0 END

%op fleet_lease write
%
UPDATE allowances
    SET expires = CASE WHEN expires BETWEEN :now AND :now + 60000
        THEN expires ELSE :now END
    WHERE org = '' AND name = '' AND node = ''
    RETURNING :{expires AS at}
% each=rows
INSERT INTO allowances (org, name, node, share, fair, others, used, expires)
    SELECT @org, @name, :node,
        CASE WHEN can < @least THEN @least ELSE can END, want, others, @used,
        :at + $JUDGE_FLEET_LEASE
    FROM (SELECT want, others,
            CASE WHEN free < want THEN free ELSE want END AS can
        FROM (SELECT free, others,
                CASE WHEN fair < 1 THEN 1 ELSE fair END AS want
        FROM (SELECT @units - CAST(COALESCE(SUM($fleet_alive(share)), 0)
                AS BIGINT) AS free,
            @units * @used / (@used + CAST(COALESCE(SUM($fleet_alive(used)),
                0) AS BIGINT)) AS fair,
            COALESCE(SUM(CASE WHEN expires > :at - @window THEN 1 ELSE 0 END),
                0) AS others
            FROM allowances
            WHERE org = @org AND name = @name AND node <> :node) AS sums)
        AS wants) AS cans
    WHERE true
    ON CONFLICT (org, name, node) DO UPDATE SET share = excluded.share,
        fair = excluded.fair, others = excluded.others, used = excluded.used,
        expires = excluded.expires
    RETURNING @{share, fair, others}
% when=clean
DELETE FROM allowances WHERE expires < :at - $JUDGE_FLEET_FORGOTTEN
