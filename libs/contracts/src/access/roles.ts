import { ALL_SCOPES, READ_SCOPES, type Scope } from './scopes.ts';

/** What somebody is in a business: each is a set of scopes. */
export const MEMBER_ROLES = ['owner', 'manager', 'receptionist', 'developer', 'viewer'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** What each may do, in words. */
export const ROLE_MEANINGS: Record<MemberRole, string> = {
  owner: 'Everything, also who belongs to the business. At least one stays.',
  manager: 'Everything but people, API keys and webhooks.',
  receptionist: 'Calendar, appointments, customers and calls.',
  developer: 'API keys, webhooks and call sources, and all records. Erases nobody.',
  viewer: 'Sees calendar, customers and calls, without what was said. Changes nothing.',
};

const allBut = (...scopes: Scope[]) => ALL_SCOPES.filter((scope) => !scopes.includes(scope));

/** What it takes at the front desk. */
const DESK = [
  ...READ_SCOPES,
  'appointments:write',
  'customers:write',
  'calls:transcripts',
  'events:read',
  'settings:desk',
] as const;

export const ROLE_SCOPES: Record<MemberRole, readonly Scope[]> = {
  owner: ALL_SCOPES,
  manager: allBut('settings:members', 'settings:keys', 'webhooks:write'),
  receptionist: DESK,
  developer: [...DESK, 'webhooks:write', 'settings:keys', 'settings:sources'],
  viewer: [...READ_SCOPES, 'events:read'],
};
