-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- A database that is distributed by organization needs the organization in
-- each row and unique key: older rows of results get it.  The hash of an API
-- key need not be unique by an index, because the key has 256 random bits.

UPDATE results_together SET org = e.org
    FROM (SELECT result / 64 AS number, min(org) AS org FROM evaluations
        WHERE result IS NOT NULL AND EXISTS (SELECT 1 FROM results_together
        WHERE org IS NULL AND number = (SELECT min(number)
        FROM results_together)) GROUP BY result / 64) AS e
    WHERE results_together.number = e.number
        AND results_together.org IS NULL;

DROP INDEX api_keys_hash;
CREATE INDEX api_keys_hash ON api_keys (hash);

DROP TABLE results_gone;
CREATE TABLE results_gone (
    org             TEXT    NOT NULL,
    result          BIGINT  NOT NULL,
    PRIMARY KEY (org, result)
);

DROP TRIGGER results_deleted;
DROP TRIGGER results_withdrawn;

CREATE TRIGGER results_deleted AFTER DELETE ON evaluations BEGIN
    DELETE FROM results WHERE org = OLD.org AND evaluation_id = OLD.id;
    INSERT INTO results_gone SELECT OLD.org, OLD.result
        WHERE OLD.result IS NOT NULL ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER results_withdrawn AFTER UPDATE OF status ON evaluations
    WHEN NEW.status = 'processing' AND OLD.status <> 'processing' BEGIN
    DELETE FROM results WHERE org = OLD.org AND evaluation_id = OLD.id;
    INSERT INTO results_gone SELECT OLD.org, OLD.result
        WHERE OLD.result IS NOT NULL ON CONFLICT DO NOTHING;
    UPDATE evaluations SET result = NULL
        WHERE org = NEW.org AND id = NEW.id;
END;
