// Bounds of a tenant, the same for every plan. What depends on the plan is a quota.

/** API keys that are revoked, expired or replaced: they stay in the list until somebody deletes them. */
export const MAX_ENDED_KEYS = 1_000;

/** Endpoints, the deleted ones not counted: each of its events is written once for every endpoint subscribed to it. */
export const MAX_ENDPOINTS = 100;

/** Custom headers of an endpoint. */
export const MAX_CUSTOM_HEADERS = 10;
