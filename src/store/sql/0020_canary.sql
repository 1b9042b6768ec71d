-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- A version of a judge that also judges a share of the evaluations of the
-- active one (base), unseen by clients; n: the number of pairs of scores.

CREATE TABLE canaries (
    org             TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    base            BIGINT  NOT NULL,
    version         BIGINT  NOT NULL,
    share           REAL    NOT NULL,
    created_at      BIGINT  NOT NULL,
    n               BIGINT  NOT NULL,
    PRIMARY KEY (org, judge_id)
) WITHOUT ROWID;

-- scores: pairs of floats, the active version's and the canary's, of the
-- overall score and of each criterion of the base; NaN: there is no score.

CREATE TABLE canary_scores (
    org             TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    evaluation_id   TEXT    NOT NULL,
    scores          BLOB    NOT NULL,
    PRIMARY KEY (org, judge_id, evaluation_id)
) WITHOUT ROWID;

CREATE TRIGGER canary_scores_deleted AFTER DELETE ON evaluations BEGIN
    DELETE FROM canary_scores WHERE org = OLD.org
        AND judge_id = OLD.judge_id AND evaluation_id = OLD.id;
END;
