import { type MemberRole, ROLE_SCOPES, type Scope } from '@frontdesk/contracts';
import { foldEmail } from '../accounts/account.rules.ts';

/** For kinds that say all by themselves. */
type Nothing = Record<never, never>;

/** What an email of a business is about, by its kind. */
export interface BusinessDetails {
  /** To the invited address. */
  invitation: { invitation_id: number };
  /** `by` is an admin's address, or `Operator (name)`. */
  new_key: { name: string; by: string };
  /** The same, where it is unknown whether there is a key. */
  key_asked: { name: string; by: string };
  /** `at`: when it expires. */
  key_expires: { name: string; at: string };
  key_leaked: { name: string; by: string };
  /** `role`: not of emails that the release before has queued. */
  new_member: { email: string; invited_by: string | null; role?: MemberRole };
  endpoint_disabled: { url: string };
}

/** What an email of an account is about. */
export interface AccountDetails {
  reset: Nothing;
  /** To the new address of an account. If that has an account already, the composer finds out. */
  address_link: { account_id: number; credentials_version: number; sessions_version: number };
  /** `device` as `Chrome on Windows`, `network` as `203.0.113.0/24`. */
  new_device: { device: string; network: string };
  password_changed: { by: 'session' | 'link' | 'operator' };
  /** To the address that the account has. */
  address_asked: { to: string };
  /** To both. */
  address_changed: { from: string; to: string };
}

export type BusinessKind = keyof BusinessDetails;
export type AccountKind = keyof AccountDetails;
type EmailDetails = BusinessDetails & AccountDetails;
export type EmailKind = keyof EmailDetails;

/** Emails about these go to members whose role opens what the email is about: they can do something about it. */
const SCOPES_OF_READERS: Partial<Record<EmailKind, Scope>> = {
  new_key: 'settings:keys',
  key_asked: 'settings:keys',
  key_expires: 'settings:keys',
  key_leaked: 'settings:keys',
  new_member: 'settings:members',
  endpoint_disabled: 'webhooks:write',
};

/** Whether an email of this kind is for members of this role. */
export function isForRole(kind: EmailKind, role: MemberRole): boolean {
  const scope = SCOPES_OF_READERS[kind];
  return scope === undefined || ROLE_SCOPES[role].includes(scope);
}

/** Kinds with a link. Its token is made when the email is composed. */
export type LinkKind = 'invitation' | 'reset' | 'address_link';
export type SecurityKind = Exclude<EmailKind, LinkKind>;

const LINK_KINDS: ReadonlySet<EmailKind> = new Set<LinkKind>(['invitation', 'reset', 'address_link']);

export const isLinkKind = (kind: EmailKind): kind is LinkKind => LINK_KINDS.has(kind);

/** An occurrence as the row keeps it. */
export type Occurrence<Kind extends EmailKind> = EmailDetails[Kind] & {
  /** An instant of RFC 3339: when it happened, or is going to. */
  at: string;
  /** Of an account's email: the business whose name and clocks it has. */
  tenant_id?: number | null;
};

/** What an email is composed from. */
export interface EmailToCompose<Kind extends EmailKind = EmailKind> {
  id: number;
  tenant_id: number | null;
  kind: Kind;
  recipient: string;
  /** The latest last, 20 at most. */
  details: Occurrence<Kind>[];
  /** Of all occurrences, also those that are not kept. */
  count: number;
}

export interface ComposedEmail {
  /** Replaces the recipient: the address as the account has it, where somebody has typed it in another way. */
  to?: string;
  subject: string;
  text: string;
  html: string;
  /** When its link expires, after which it is not sent. Null without a link. */
  expiresAt: string | null;
}

/** An email keeps its newest occurrences, as many as this. */
export const MOST_OCCURRENCES = 20;

/** How long an email is held that is queued before the change that it is about. */
export const HELD_MS = 60_000;

/** An email that no mail server has taken within this time is given up. */
export const GIVE_UP_DAYS = 7;

/** `account_id`: of a member. An email goes only to members, and one may be removed before it is sent. */
export interface Recipient {
  email: string;
  account_id: number | null;
}

/**
 * Occurrences with the same key within an hour are one email: of an account, whose address may change hands, or else of an
 * address. Null for emails that are never folded: those with a link, and the notice that an account is to have another address,
 * which comes while its owner can still keep it.
 */
export const foldKeyOf = (kind: EmailKind, { email, account_id }: Recipient): string | null =>
  isLinkKind(kind) || kind === 'address_asked'
    ? null
    : `${kind}:${account_id === null ? foldEmail(email) : `account:${account_id}`}`;

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 3_600_000;

/** How long an email waits after its first, second, … attempt. */
export const retryDelayMs = (attempts: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);

/** The same for each attempt: a server that gets an email twice can tell. */
export const messageIdOf = ({ id, made_at }: { id: number; made_at: Date }, from: string): string =>
  `<email-${id}-${made_at.getTime()}@${from.slice(from.lastIndexOf('@') + 1)}>`;
