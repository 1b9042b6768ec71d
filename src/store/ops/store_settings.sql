-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The settings of an organization.


$settings_llm = default_model AS llm.default_model,
        max_tokens AS llm.max_tokens, temperature AS llm.temperature,
        requests_per_minute AS llm.requests_per_minute,
        tokens_per_minute AS llm.tokens_per_minute,
        fallback_models AS llm.fallback_models, prices AS llm.prices,
        llm_updated_at AS llm.updated_at

$settings_webhooks = webhook_url AS webhooks.url,
        webhook_events AS webhooks.events, webhook_enabled AS webhooks.enabled,
        webhooks_updated_at AS webhooks.updated_at

-- The active version of a judge; its model, which may be the built-in engine
-- that escalates to one.
$judge_active = v.org = j.org AND v.judge_id = j.id AND v.version = j.version

$judge_active_model = coalesce(v.model,
        CASE WHEN v.escalate IS NOT NULL THEN 'builtin' END)

$settings_keep = $1 = COALESCE(excluded.$1, org_settings.$1)


%op settings_find inline
% unless_rows=NOT_FOUND
SELECT :{webhook_secret AS webhooks.secret, $settings_llm, $settings_webhooks}
    FROM organizations
    LEFT
    JOIN org_settings ON org = id
    WHERE id = :org
% each=judges:njudges
SELECT @{j.version, j.content_type, $judge_active_model AS model, v.samples}
    FROM judges j
    JOIN judge_versions v ON $judge_active
    WHERE j.org = :org AND j.id = @judge_id AND j.deleted_at IS NULL


-- What waits for the budget is tried again with the new limits.

%op settings_llm write
%
INSERT INTO org_settings (org, default_model, max_tokens, temperature,
        requests_per_minute, tokens_per_minute, fallback_models, prices,
        llm_updated_at)
    VALUES (:org, :llm.default_model, :llm.max_tokens, :llm.temperature,
        :llm.requests_per_minute, :llm.tokens_per_minute, :llm.fallback_models,
        :llm.prices, :llm.updated_at)
    ON CONFLICT (org) DO UPDATE SET $settings_keep(default_model),
        $settings_keep(max_tokens), $settings_keep(temperature),
        $settings_keep(requests_per_minute), $settings_keep(tokens_per_minute),
        $settings_keep(fallback_models), $settings_keep(prices),
        $settings_keep(llm_updated_at)
    RETURNING :{$settings_llm}
%
UPDATE evaluations
    SET queue_at = :llm.updated_at
    WHERE (org, id) IN (SELECT org, id FROM evaluations
        WHERE priority IN (0, 1, 2) AND queue_at > :llm.updated_at
        AND model IS NOT NULL AND org = :org AND owner IS NULL
        AND last_error LIKE '%"BUDGET"%' ORDER BY queue_at
        LIMIT $JUDGE_SETTINGS_WAITING)


%op settings_webhooks write end=settings_webhooks_end
%
INSERT INTO org_settings (org, webhook_url, webhook_events, webhook_enabled,
        webhooks_updated_at, base_url)
    VALUES (:org, NULLIF(:webhooks.url, ''), NULLIF(:webhooks.events, 'null'),
        :webhooks.enabled, :webhooks.updated_at, :webhooks.base_url)
    ON CONFLICT (org) DO UPDATE SET webhook_url = NULLIF(COALESCE(
        :webhooks.url, org_settings.webhook_url), ''),
        webhook_events = NULLIF(COALESCE(:webhooks.events,
        org_settings.webhook_events), 'null'), webhook_enabled = COALESCE(
        excluded.webhook_enabled, CASE WHEN :webhooks.url = '' THEN NULL
        ELSE org_settings.webhook_enabled END),
        $settings_keep(webhooks_updated_at), $settings_keep(base_url)
    RETURNING :{$settings_webhooks}
%
$endpoint_forgiven


%op settings_rotate write
%
DELETE FROM former_secrets WHERE org = :org AND until <= :now
% if_rows=CONFLICT
SELECT 1
    WHERE (SELECT COUNT(*) FROM former_secrets WHERE org = :org)
        >= $JUDGE_FORMER_SECRETS
%
INSERT INTO former_secrets (org, until, secret)
    SELECT id, :previous_until, webhook_secret
    FROM organizations
    WHERE id = :org
% unless_changed=NOT_FOUND
UPDATE organizations SET webhook_secret = :secret WHERE id = :org
