/** What a key may be given: each scope opens the operations that name it, and what they show. */
export const KEY_SCOPES = {
  'appointments:read': 'See appointments and free times.',
  'appointments:write': 'Hold times, and book, move and cancel appointments.',
  'customers:read': 'See customers.',
  'customers:write': 'Add and change customers.',
  'customers:erase': 'Erase customers for good.',
  'calls:read': 'See calls, without transcript, summary and recording.',
  'calls:transcripts': 'See the transcript, summary and recording of calls.',
  'staff:read': 'See staff members, when they have appointments and when they are free.',
  'services:read': 'See services.',
  'events:read': 'Read the feed of events about records that the other scopes show.',
  'webhooks:write': 'See and change webhook endpoints and their deliveries.',
} as const;

/** What only people may be given: they open pages of the settings. */
export const SETTINGS_SCOPES = {
  'settings:business': 'Change services, staff, calendars and how the business takes bookings.',
  'settings:desk': 'Block time, mark who was called back, and say which call led to a booking.',
  'settings:sources': 'See and change call sources and their messages.',
  'settings:members': 'Invite and remove people, and change their roles.',
  'settings:keys': 'See, make and revoke API keys.',
  'settings:audit': 'See who has changed what in the settings.',
} as const;

/** To see all records, without what was said in calls. */
export const READ_SCOPES = [
  'appointments:read',
  'customers:read',
  'calls:read',
  'staff:read',
  'services:read',
] as const satisfies readonly KeyScope[];

export type KeyScope = keyof typeof KEY_SCOPES;
export type Scope = KeyScope | keyof typeof SETTINGS_SCOPES;

export const ALL_KEY_SCOPES = Object.keys(KEY_SCOPES) as [KeyScope, ...KeyScope[]];
export const ALL_SCOPES: readonly Scope[] = [
  ...ALL_KEY_SCOPES,
  ...(Object.keys(SETTINGS_SCOPES) as (keyof typeof SETTINGS_SCOPES)[]),
];

/**
 * What keys hold that were made before there were scopes: all that the API could do then. Closed: what comes later is
 * given to nobody who hasn't been asked.
 */
export const SCOPES_OF_EARLIER_KEYS: readonly KeyScope[] = [
  'appointments:read',
  'appointments:write',
  'customers:read',
  'customers:write',
  'calls:read',
  'calls:transcripts',
  'staff:read',
  'services:read',
  'events:read',
];
