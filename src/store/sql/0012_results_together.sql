-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Several results in a row, in the order in which evaluations end, by numbers
-- that grow: short to refer to, and what they share is stored once.  result is
-- 64 times the number of the row and the result's own in it; NULL where it
-- stands in results, by itself.  kept: how many are in it.

CREATE TABLE results_together (
    number          INTEGER NOT NULL PRIMARY KEY,
    kept            BIGINT  NOT NULL,
    features        BLOB,
    bodies          BLOB    NOT NULL
);

ALTER TABLE evaluations ADD COLUMN result BIGINT;

-- Results that are to be taken out of their rows, which the engine does behind
-- the statements of the operation, in its transaction.

CREATE TABLE results_gone (
    result          INTEGER NOT NULL PRIMARY KEY
);

DROP TRIGGER results_deleted;
DROP TRIGGER results_withdrawn;

CREATE TRIGGER results_deleted AFTER DELETE ON evaluations BEGIN
    DELETE FROM results WHERE org = OLD.org AND evaluation_id = OLD.id;
    INSERT INTO results_gone SELECT OLD.result WHERE OLD.result IS NOT NULL
        ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER results_withdrawn AFTER UPDATE OF status ON evaluations
    WHEN NEW.status = 'processing' AND OLD.status <> 'processing' BEGIN
    DELETE FROM results WHERE org = OLD.org AND evaluation_id = OLD.id;
    INSERT INTO results_gone SELECT OLD.result WHERE OLD.result IS NOT NULL
        ON CONFLICT DO NOTHING;
    UPDATE evaluations SET result = NULL
        WHERE org = NEW.org AND id = NEW.id;
END;
