-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- Makes what only PostgreSQL needs besides the tables; it is run after
-- migrations.  The triggers raise notices, which the server sends before the
-- result of a statement, to tell the connection what the statement changes.

CREATE SEQUENCE IF NOT EXISTS results_together_numbers;

-- Every key begins with the organization, so that tables can be distributed
-- by it.  Row numbers are only used to list files and to order logs, so only
-- the tables of these have an index on them.

DO $$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_index k JOIN pg_attribute a
        ON a.attrelid = k.indrelid AND a.attnum = k.indkey[0]
        WHERE k.indrelid = 'results_together'::regclass AND k.indisprimary
        AND a.attname = 'org')
    THEN
        DELETE FROM results_together WHERE org IS NULL;
        ALTER TABLE results_together DROP CONSTRAINT results_together_pkey,
            ADD PRIMARY KEY (org, number);
    END IF;
END $$;

ALTER TABLE contents DROP CONSTRAINT IF EXISTS contents_rowid_key;
ALTER TABLE reference_texts DROP CONSTRAINT IF EXISTS
    reference_texts_rowid_key;
ALTER TABLE training_logs DROP CONSTRAINT IF EXISTS training_logs_rowid_key;
ALTER TABLE results DROP COLUMN IF EXISTS rowid;
CREATE INDEX IF NOT EXISTS contents_rows ON contents (rowid)
    WHERE file_path IS NOT NULL;
CREATE INDEX IF NOT EXISTS reference_texts_rows ON reference_texts (rowid)
    WHERE file_path IS NOT NULL;
CREATE INDEX IF NOT EXISTS training_logs_rows ON training_logs (rowid);

-- Reserves n consecutive numbers and returns the one before the first.  The
-- lock is one of the session: it is released here, while one of the
-- transaction would make others wait until that ends.

CREATE OR REPLACE FUNCTION judge_numbers(n BIGINT) RETURNS BIGINT
    LANGUAGE plpgsql AS $$
DECLARE
    first BIGINT;
BEGIN
    IF n < 1 THEN
        RETURN 0;
    END IF;
    PERFORM pg_advisory_lock(1785033830, 1);
    first := nextval('results_together_numbers');
    PERFORM setval('results_together_numbers', first + n - 1);
    PERFORM pg_advisory_unlock(1785033830, 1);
    RETURN first - 1;
END $$;

-- judge_subject() tells of the row itself, judge_corrected() of the judge
-- whose example it is, judge_noted() only of the table.

CREATE OR REPLACE FUNCTION judge_subject() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE NOTICE 'judge_subject % %', OLD.org, OLD.id;
    ELSE
        RAISE NOTICE 'judge_subject % %', NEW.org, NEW.id;
    END IF;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION judge_corrected() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE NOTICE 'judge_subject % %', OLD.org, OLD.judge_id;
    ELSE
        RAISE NOTICE 'judge_subject % %', NEW.org, NEW.judge_id;
    END IF;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION judge_noted() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE NOTICE 'judge_noted %', TG_TABLE_NAME;
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER subject_batches AFTER UPDATE OR DELETE ON batches
    FOR EACH ROW EXECUTE FUNCTION judge_subject();
CREATE OR REPLACE TRIGGER subject_jobs AFTER UPDATE OR DELETE ON training_jobs
    FOR EACH ROW EXECUTE FUNCTION judge_subject();

CREATE OR REPLACE TRIGGER subject_examples AFTER INSERT OR DELETE ON examples
    FOR EACH ROW EXECUTE FUNCTION judge_corrected();

CREATE OR REPLACE TRIGGER noted AFTER INSERT ON work_requests
    FOR EACH ROW EXECUTE FUNCTION judge_noted();
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON results_gone
    FOR EACH ROW EXECUTE FUNCTION judge_noted();
CREATE OR REPLACE TRIGGER noted AFTER DELETE ON evaluations
    FOR EACH ROW WHEN (OLD.status = 'processing')
    EXECUTE FUNCTION judge_noted();

-- Earlier versions made these; nothing reads their notices.

DROP TRIGGER IF EXISTS noted ON judges;
DROP TRIGGER IF EXISTS noted ON judge_versions;
DROP TRIGGER IF EXISTS noted ON contents;
DROP TRIGGER IF EXISTS noted ON org_settings;
