import { STATISTICS_HOURS } from './api-limits.ts';

/** How long things are kept, where integrators or operators notice. Of those that a variable sets, the default. */

/** Events, the feed of them, and deliveries with their log: `RETENTION_DAYS` of webhooks. */
export const EVENT_RETENTION_DAYS = 30;
/** Messages about calls that were read: `RETENTION_DAYS` of calls. */
export const CALL_MESSAGE_RETENTION_DAYS = 30;
/** Longer than others: a later release may read them, and people look at them. */
export const UNREADABLE_MESSAGE_RETENTION_DAYS = 90;
/** In Kafka, between the services: so long a service may be away and miss nothing. Not of topics that are compacted. */
export const TOPIC_RETENTION_DAYS = 14;
/** What an outbox has published. */
export const OUTBOX_RETENTION_DAYS = 7;
/** The answer to a POST with an `Idempotency-Key`. */
export const IDEMPOTENCY_RETENTION_HOURS = 24;
/** Emails to the people who sign in to the settings, whatever becomes of them. */
export const EMAIL_RETENTION_DAYS = 30;
/** Entries of an audit log. */
export const AUDIT_RETENTION_DAYS = 400;
/** Counts by hour: those that the plots show, and two for a process that writes or reads late. */
export const COUNT_RETENTION_HOURS = STATISTICS_HOURS + 2;
