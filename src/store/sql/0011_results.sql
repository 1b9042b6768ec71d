-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- What an evaluation ended with: long, written once, and in the order in which
-- evaluations end.  The rows of evaluations stay short, and so do the pages
-- that are written when one is claimed.  A result goes with its evaluation,
-- and when that is tried again.

CREATE TABLE results (
    org             TEXT    NOT NULL,
    evaluation_id   TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    features        BLOB,
    body            TEXT    NOT NULL,
    PRIMARY KEY (org, evaluation_id)
);

INSERT INTO results (org, evaluation_id, status, features, body)
    SELECT org, id, status, features, body FROM evaluations
    WHERE body IS NOT NULL;

ALTER TABLE evaluations DROP COLUMN features;
ALTER TABLE evaluations DROP COLUMN body;

CREATE TRIGGER results_deleted AFTER DELETE ON evaluations BEGIN
    DELETE FROM results WHERE org = OLD.org AND evaluation_id = OLD.id;
END;

CREATE TRIGGER results_withdrawn AFTER UPDATE OF status ON evaluations
    WHEN NEW.status = 'processing' AND OLD.status <> 'processing' BEGIN
    DELETE FROM results WHERE org = OLD.org AND evaluation_id = OLD.id;
END;
