-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Deliveries of events: creating them, listing them for the organization, and
-- claiming them for a worker.


-- Whether org_settings has a webhook address, and webhooks are not disabled.
$webhook_is_on = webhook_url IS NOT NULL AND COALESCE(webhook_enabled, 1) <> 0

-- Makes the address due now, or as soon as it is no longer blocked.
$endpoint_due = INSERT INTO webhook_endpoints (org, url, queue_at)
    VALUES (@org, coalesce(@url, ''), :op.submitted_at)
    ON CONFLICT (org, url) DO UPDATE SET queue_at = CASE
        WHEN webhook_endpoints.blocked_until > excluded.queue_at
        THEN webhook_endpoints.blocked_until ELSE excluded.queue_at END
    WHERE webhook_endpoints.queue_at IS NULL
        OR webhook_endpoints.queue_at > excluded.queue_at

-- Changed settings reset the failures, because the address may be another one
-- or the organization may want it to be tried again.
$endpoint_forgiven = UPDATE webhook_endpoints
    SET failures = 0, blocked_until = 0, queue_at = CASE
        WHEN queue_at IS NULL THEN NULL ELSE :webhooks.updated_at END
    WHERE org = :org AND url = ''

$delivery_columns = d.org, d.id, d.event_id, d.type, d.status, d.created_at,
        d.queue_at, d.owner IS NOT NULL AS under_way, d.attempts,
        d.attempted_at, d.delivered_at, d.last_status, d.last_error, d.url,
        b.answer

$delivery_join =
    FROM deliveries d
    JOIN delivery_bodies b ON b.org = d.org AND b.id = d.id

$delivery_list =
    SELECT @{$delivery_columns} $delivery_join
    WHERE d.org = :org AND d.id < coalesce(:page.before, '~') $1
        AND (:status IS NULL OR d.status = :status)
        AND (:type IS NULL OR d.type = :type) AND (:event_id IS NULL
        OR d.event_id = :event_id)
    ORDER BY d.id DESC LIMIT :page.limit + 1


%op event_write write
% of=judge_event_t step=event_write_wanted
SELECT :{1 AS wants, webhook_events AS wanted}
    FROM org_settings
    WHERE org = @org AND $webhook_is_on
% of=judge_event_t step=event_write_row
INSERT INTO deliveries (org, id, event_id, type, status, created_at, queue_at,
        url)
    VALUES (@org, @delivery, @id, @name, 'pending', :op.submitted_at,
        :op.submitted_at, coalesce(@url, ''))
% of=judge_event_t step=event_write_row
INSERT INTO delivery_bodies (org, id, data) VALUES (@org, @delivery, @data)
% of=judge_event_t step=event_write_endpoint
$endpoint_due
% of=judge_event_t step=event_write_export
INSERT INTO exports (org, id, queue_at, noted_at)
    VALUES (@org, @subject, :op.submitted_at, :op.submitted_at)
    ON CONFLICT (org, id) DO UPDATE SET queue_at = excluded.queue_at,
        noted_at = excluded.noted_at


-- Triggers fill work_requests for all organizations, subscribers or not.

%op event_requests write
% read=event_requests_read
SELECT org, '{"evaluation_id":"' || evaluation_id || '"}'
    FROM work_requests
    JOIN org_settings USING (org)
    WHERE instr(webhook_events, '"evaluation.requested"') > 0
    ORDER BY org, evaluation_id
%
DELETE FROM work_requests


-- The first statement finds the deliveries of an event by the time in their
-- ids; the next two use the indexes of undelivered ones and of types.

%op delivery_list bulk page
% list=rows step=delivery_list_step
$delivery_list(AND d.id > :from AND d.id < :to)
% list=rows step=delivery_list_step
$delivery_list(AND d.status <> 'delivered' AND d.status = :status)
% list=rows step=delivery_list_step
$delivery_list(AND d.type = :type)
% list=rows step=delivery_list_step
$delivery_list()


%op delivery_find inline
% row=row unless_rows=NOT_FOUND
SELECT @{$delivery_columns, b.data} $delivery_join
    WHERE d.org = :org AND d.id = :id


-- A delivery that is under way has an owner and is not changed.  The last
-- statement unblocks the address, so that it is called at once.

%op delivery_again write
%
UPDATE deliveries
    SET status = 'pending', queue_at = :now, attempts = 0, delivered_at = NULL,
        last_status = NULL, last_error = NULL
    WHERE org = :org AND id = :id AND owner IS NULL
% row=row unless_rows=NOT_FOUND
SELECT @{$delivery_columns} $delivery_join WHERE d.org = :org AND d.id = :id
% if_rows=CONFLICT
SELECT 1 FROM deliveries WHERE org = :org AND id = :id AND owner IS NOT NULL
%
UPDATE delivery_bodies
    SET answer = NULL
    WHERE org = :org AND id = :id AND answer IS NOT NULL
%
INSERT INTO webhook_endpoints (org, url, queue_at)
    VALUES (:org, :row.url, :now)
    ON CONFLICT (org, url) DO UPDATE SET queue_at = excluded.queue_at,
        blocked_until = 0, failures = 0


%op delivery_test write
% unless_rows=CONFLICT
SELECT 1 FROM org_settings WHERE org = :org AND $webhook_is_on


%op webhook_peek inline
% list=ends limit=limit
SELECT @{org, url, failures, CASE WHEN url = '' THEN
        (SELECT s.webhooks_updated_at FROM org_settings s
        WHERE s.org = webhook_endpoints.org) END AS changed_at}
    FROM webhook_endpoints
    WHERE queue_at IS NOT NULL AND queue_at <= :now
    ORDER BY queue_at LIMIT :limit


-- Whether the delivery is still in the hands of the worker with the result.
$delivery_mine = EXISTS (SELECT 1 FROM deliveries d
        WHERE d.org = @org AND d.id = @id AND d.owner = :lease.owner)


%op webhook_turn write
% each=results:nresults when=@answer
UPDATE delivery_bodies
    SET answer = @answer
    WHERE org = @org AND id = @id AND $delivery_mine
% each=results:nresults when=@gone
UPDATE org_settings
    SET webhook_enabled = 0, webhooks_updated_at = :now
    WHERE org = @org AND webhook_url = @gone AND $delivery_mine
% each=results:nresults
UPDATE deliveries
    SET status = @status, queue_at = @queue_at?, owner = NULL,
        attempts = @attempts, attempted_at = COALESCE(@attempted_at?,
        attempted_at), delivered_at = @delivered_at?, last_status = CASE
        WHEN @attempted_at? IS NULL THEN last_status ELSE @last_status? END,
        last_error = CASE WHEN @attempted_at? IS NULL THEN last_error
        ELSE @last_error END
    WHERE org = @org AND id = @id AND owner = :lease.owner
% each=ends:nends when=@take read=webhook_turn_claimed
UPDATE deliveries
    SET queue_at = :lease.until, owner = :lease.owner, attempts = attempts + 1
    WHERE org = @org AND id IN (SELECT id FROM deliveries WHERE org = @org
        AND url = @url AND queue_at IS NOT NULL AND queue_at <= :now
        ORDER BY queue_at LIMIT @take $skip_locked)
    RETURNING :{id AS claimed.id, event_id AS claimed.event_id,
        type AS claimed.type, created_at AS claimed.created_at,
        attempts AS claimed.attempts, (SELECT b.data FROM delivery_bodies b
        WHERE b.org = deliveries.org AND b.id = deliveries.id) AS claimed.data}
% of=judge_work_item_t step=webhook_turn_work read=webhook_turn_worked
SELECT @{$work_columns, s.base_url AS :base_url}
    FROM evaluations e
    JOIN contents c ON c.org = e.org AND c.id = e.content_id
    JOIN judge_versions v ON v.org = e.org AND v.judge_id = e.judge_id
        AND v.version = e.judge_version
    LEFT
    JOIN org_settings s ON s.org = e.org
    WHERE e.org = :claimed.org
        AND e.id = json_extract(:claimed.data, '$.evaluation_id')
        AND e.status = 'processing'
% each=ends:nends when=@count
SELECT @{o.webhook_secret AS secrets[0], 1 AS nsecrets,
        CASE WHEN @url <> '' THEN @url
        WHEN $webhook_is_on THEN s.webhook_url END AS target}
    FROM organizations o
    LEFT
    JOIN org_settings s ON s.org = o.id
    WHERE o.id = @org
% each=ends:nends when=@count read=webhook_turn_former
SELECT :{secret AS former}
    FROM former_secrets
    WHERE org = @org AND until > :now
    ORDER BY until DESC LIMIT $JUDGE_FORMER_SECRETS
% each=ends:nends
UPDATE webhook_endpoints
    SET failures = @failures, blocked_until = @blocked_until,
        queue_at = (SELECT CASE WHEN d.queue_at < @blocked_until
        THEN @blocked_until ELSE d.queue_at END FROM deliveries d
        WHERE d.org = @org AND d.url = @url AND d.queue_at IS NOT NULL
        ORDER BY d.queue_at LIMIT 1)
    WHERE org = @org AND url = @url
% each=ends:nends
DELETE
    FROM webhook_endpoints
    WHERE org = @org AND url = @url AND queue_at IS NULL AND (url <> ''
        OR failures = 0)
