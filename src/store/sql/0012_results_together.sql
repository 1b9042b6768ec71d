-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Several results share a row, so that sentences that they have in common are
-- stored once.  Rows are numbered in the order in which evaluations end.  An
-- evaluation's result is 64 times the number of the row plus the index in it;
-- NULL: the result is in `results`.  kept: how many results the row still has.

CREATE TABLE results_together (
    number          INTEGER NOT NULL PRIMARY KEY,
    kept            BIGINT  NOT NULL,
    features        BLOB,
    bodies          BLOB    NOT NULL
);

ALTER TABLE evaluations ADD COLUMN result BIGINT;

-- Results that must be removed from their rows: the runner does that after the
-- statements of the operation, in the same transaction.

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
