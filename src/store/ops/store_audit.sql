-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Who changed what.


%op audit_keep write
%
INSERT INTO audit (org, id, at, key_id, person, action, object, fields, given)
    VALUES (:org, :row.id, :row.at, :row.key_id, :row.person, :row.action,
        :row.object, :row.fields, :row.given)


%op audit_list bulk page
% list=rows
SELECT @{id, at, key_id, person, action, object, fields, given}
    FROM audit
    WHERE org = :org AND id < coalesce(:page.before, '~') AND at >= :from
        AND (:to = 0 OR at < :to) AND (:person IS NULL OR person = :person)
        AND (:key_id IS NULL OR key_id = :key_id)
        AND (:object IS NULL OR object = :object)
    ORDER BY id DESC LIMIT :page.limit + 1
