import { ALL_SCOPES, READ_SCOPES, type Scope } from './scopes.ts';

/** What a member is in a business: each is a named set of scopes. */
export const MEMBER_ROLES = ['owner', 'manager', 'receptionist', 'developer', 'viewer'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** What each is called, and what it may do, for people. */
export const ROLE_WORDS: Record<MemberRole, { name: string; meaning: string }> = {
  owner: {
    name: 'Owner',
    meaning: 'Can do everything, and manages people. A business always has at least one owner.',
  },
  manager: {
    name: 'Manager',
    meaning: 'Can do everything except manage people, API keys and webhooks.',
  },
  receptionist: {
    name: 'Receptionist',
    meaning: 'Works with the calendar, appointments, customers and calls. Can see services and staff.',
  },
  developer: {
    name: 'Developer',
    meaning: 'Manages API keys, webhooks and call sources. Can also do what a receptionist can.',
  },
  viewer: {
    name: 'Viewer',
    meaning: 'Can see the calendar, customers and calls, but no transcripts. Can’t change anything.',
  },
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
