import type { z } from 'zod';
import type { KeyScope } from '../access/scopes.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import type { Route } from './route.ts';

/** The kinds of records of API v1, in the order of its documentation. */
export const RESOURCES = [
  'appointments',
  'holds',
  'customers',
  'calls',
  'staff',
  'services',
  'business',
  'events',
  'webhooks',
] as const;
export type Resource = (typeof RESOURCES)[number];

/** What each kind is, in the machine-readable description. */
export const RESOURCE_MEANINGS: Record<Resource | 'business', string> = {
  appointments: 'Book, move and cancel appointments, and find the times that are free.',
  holds: 'Times that are kept free for somebody who is about to book.',
  customers: 'The people who book and call, each with a phone number that nobody else has.',
  calls: 'Phone calls that voice agents and telephone systems have reported.',
  staff: 'Who works in the business, and when.',
  services: 'What can be booked, how long it takes and what it costs.',
  business: 'The business that a key belongs to.',
  events: 'The feed of everything that has happened in the business.',
  webhooks: 'Endpoints that get the events of the business, and the log of what was sent to them.',
};

/** What the documents promise for an operation that will go: docs/compatibility.md. Dates are UTC, Y-m-d. */
export interface Deprecation {
  /** The date since which it is deprecated. */
  since: string;
  /** The date on which it may be gone. */
  sunset: string;
  /** Where integrators read what to use instead. */
  link: string;
}

/** One thing that API v1 does. */
export interface Operation extends Route {
  /** Its name in the machine-readable description, and its anchor in the documentation. */
  id: string;
  resource: Resource;
  /** What a key needs to use it; null: every key may. */
  scope: KeyScope | null;
  /** The service that serves it. */
  owner: 'scheduling' | 'crm' | 'calls' | 'webhooks';
  title: string;
  description: string;
  query?: z.ZodObject;
  body?: z.ZodObject;
  status: 200 | 201 | 202;
  /** What a second status means, with the same answer. */
  otherStatus?: { status: 200; description: string };
  /** The answer carries an `ETag`. */
  hasEtag?: boolean;
  /** The answer carries a `Location`: the path of the record that was made. */
  hasLocation?: true;
  /** `If-Match` holds a change to the version that the client has seen. */
  takesIfMatch?: boolean;
  /** What a request may hold in its body or, without one, its query, by the schemas; its ids are those of `EXAMPLES`. */
  example?: Record<string, string | number | readonly string[]>;
  /** A request may wait for something to happen. */
  waits?: true;
  /** What can go wrong beside what the request's own form brings with it. */
  errors?: readonly ErrorCode[];
  deprecated?: Deprecation;
}

const OF_ANY: readonly ErrorCode[] = [
  'unauthorized',
  'tenant_suspended',
  'network_not_allowed',
  'rate_limited',
];
const OF_OUTAGES: readonly ErrorCode[] = ['internal_error', 'service_unavailable', 'upstream_timeout'];
const OF_BODIES: readonly ErrorCode[] = ['invalid_json', 'payload_too_large', 'unsupported_media_type'];

/** Every code that an operation can answer with, in the order of their statuses. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const { method, path, scope, query, body, takesIfMatch, errors = [] } = operation;
  return [
    ...(body ? OF_BODIES : []),
    ...OF_ANY,
    ...(scope === null ? [] : ['insufficient_scope' as const]),
    ...(path.includes('{id}') ? ['not_found' as const] : []),
    ...(method === 'POST' ? ['request_in_progress' as const] : []),
    ...(takesIfMatch ? ['precondition_failed' as const] : []),
    // Of a parameter that there is not, for one.
    'validation_failed',
    ...(query && 'cursor' in query.shape ? ['invalid_cursor' as const] : []),
    ...errors,
    ...OF_OUTAGES,
  ];
}
