// Numbers that integrators and admins see in answers, and that several services keep to.

/** A call shorter than this, in seconds, is missed. A call that never connected lasts 0 seconds. */
export const MISSED_BELOW_SECONDS = 15;

/** Free times that the refusal of a time offers, at most. */
export const MAX_ALTERNATIVES = 5;

/** Days of one question for slots, at most. */
export const MAX_SLOT_DAYS = 31;

/** How many days ahead the next free time of staff is looked for. */
export const NEXT_FREE_DAYS = 366;

/** Customers that other records name, at most in one question. */
export const MAX_NAMED_CUSTOMERS = 10_000;

/** What the delivery log keeps of the body of a receiver's answer. */
export const KEPT_ANSWER_BYTES = 16 * 1024;

/** Longest that a request to the feed of events waits for one. */
export const MAX_FEED_WAIT_SECONDS = 25;

/** Largest message of a provider that is taken in. */
export const MAX_INGEST_BYTES = 5 * 1024 * 1024;

/** Largest body of a request. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Largest head of a client's request: as much as Node takes by default. */
export const MAX_HEAD_BYTES = 16 * 1024;

/** Levels of nested lists and objects in a JSON body, at most: far more than any needs. */
export const MAX_JSON_DEPTH = 64;

/**
 * Commas and opening brackets outside the texts of a JSON body, at most, which is about its values: five times the longest list that
 * any request takes (`MAX_NAMED_CUSTOMERS`).
 */
export const MAX_JSON_VALUES = 50_000;

/** The same of a call message: 5 MiB of nothing but the shortest words with their times hold some 600,000. */
export const MAX_INGEST_VALUES = 1_000_000;

/** What a body brings in each `INGEST_PACE_MS` of the gateway, at least, unless it ends. */
export const LEAST_PACE_BYTES = 160 * 1024;

/** Requests with a bad key, or to an unknown ingest address, that one client address may send in a minute. */
export const FAILED_ATTEMPTS_PER_MINUTE = 60;

/** What is kept of a call's transcript, as JSON; the rest is cut at the end. */
export const MAX_TRANSCRIPT_BYTES = 2 * 1024 * 1024;

/** How far the time in the signature of a call message may lie from ours, either way. */
export const SIGNATURE_TOLERANCE_MINUTES = 5;

/**
 * The work of one answer with the slots of several days, at most: days × starts a day × staff who perform the service, which is the
 * largest number of pairs of a start and a free staff member. One day is always answered.
 */
export const MAX_SLOT_WORK = 150_000;

/** Waits between the attempts of a delivery, unless the operator sets others. */
export const DELIVERY_DELAYS_SECONDS = [30, 300];
/** Each of them is stretched or shortened by up to this share, so that one outage's retries don't return as one wave. */
export const DELIVERY_JITTER = 0.1;
/** Longest wait that a receiver can ask for by `Retry-After`. */
export const MAX_RETRY_AFTER_HOURS = 1;

/** An endpoint that has failed for so many days without a single success is disabled. */
export const DISABLED_AFTER_DAYS = 5;

/** For so long after a secret was replaced, deliveries are signed by the previous one too. */
export const BOTH_SECRETS_HOURS = 24;

/** How many hours, days and weeks the plots of statistics reach back, the present one among them. */
export const STATISTICS_HOURS = 24;
export const STATISTICS_CALL_DAYS = 14;
export const STATISTICS_CALL_WEEKS = 8;
/** How far the days of appointments reach, both before and after the present one. */
export const STATISTICS_APPOINTMENT_DAYS = 7;

/** The longest that each field may be, in characters: what the API takes and what forms let people type. */
export const MAX_LENGTH = {
  /** Of a customer, a staff member, a service, a business. */
  name: 200,
  phone: 40,
  email: 254,
  notes: 5_000,
  pipelineStage: 64,
  /** Where a customer comes from. */
  origin: 64,
  /** What is looked for in a list or on all pages. */
  search: 200,
  description: 2_000,
  /** The note of an exception or of time off. */
  calendarNote: 200,
  keyName: 100,
  /** An IPv6 network. */
  network: 49,
  callSourceName: 64,
  /** The name of a header that a provider signs with, and the template of what it signs. */
  headerName: 100,
  /** Of a header that an endpoint gets. */
  headerValue: 1_024,
  signedPayload: 200,
  url: 2_048,
} as const;
