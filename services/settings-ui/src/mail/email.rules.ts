import { foldEmail } from '../accounts/account.rules.ts';

/** Nothing but what it says itself. */
type Nothing = Record<never, never>;

/** What an email of a business is about, by its kind. */
export interface BusinessDetails {
  /** To who is invited. */
  invitation: { invitation_id: number };
  /** To all members; `by` is the address of who did it, or `Operator (name)`. */
  new_key: { name: string; by: string };
  /** The same, where nobody knows whether there is a key. */
  key_asked: { name: string; by: string };
  new_member: { email: string; invited_by: string | null };
  endpoint_disabled: { url: string };
}

/** What an email of an account is about. */
export interface AccountDetails {
  reset: Nothing;
  /** To the new address of an account, or to one that has an account already: who composes it finds out. */
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

/** Each has a link with a secret, which is made when the email is composed. */
export type LinkKind = 'invitation' | 'reset' | 'address_link';
export type SecurityKind = Exclude<EmailKind, LinkKind>;

const LINK_KINDS: ReadonlySet<EmailKind> = new Set<LinkKind>(['invitation', 'reset', 'address_link']);

export const isLinkKind = (kind: EmailKind): kind is LinkKind => LINK_KINDS.has(kind);

/** One thing that happened, as the row keeps it. */
export type Occurrence<Kind extends EmailKind> = EmailDetails[Kind] & {
  /** An instant of RFC 3339. */
  at: string;
  /** Of an account's email: the business whose name and clocks it has. */
  tenant_id?: number | null;
};

/** An email as whoever composes it gets it. */
export interface EmailToCompose<Kind extends EmailKind = EmailKind> {
  id: number;
  tenant_id: number | null;
  kind: Kind;
  recipient: string;
  /** The latest last, 20 at most. */
  details: Occurrence<Kind>[];
  /** How often it happened. */
  count: number;
}

export interface ComposedEmail {
  /** Where it goes instead of its recipient: an account's own address, however somebody has written it. */
  to?: string;
  subject: string;
  text: string;
  html: string;
  /** When its link stops working; it is not sent after that. Null without one. */
  expiresAt: string | null;
}

/** So many occurrences an email keeps, the newest. */
export const MOST_OCCURRENCES = 20;

/** So long an email is held that is queued before what it tells of. */
export const HELD_MS = 60_000;

/** An email that nobody has taken for so long is given up. */
export const GIVE_UP_DAYS = 7;

/** Under this key occurrences for one recipient are one email within the hour; null for emails that stand alone. */
export const foldKeyOf = (kind: EmailKind, recipient: string): string | null =>
  isLinkKind(kind) ? null : `${kind}:${foldEmail(recipient)}`;

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 3_600_000;

/** How long an email waits after so many attempts (1, 2, …). */
export const retryDelayMs = (attempts: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);

/** The same for each attempt: a server that gets an email twice can tell. */
export const messageIdOf = ({ id, made_at }: { id: number; made_at: Date }, from: string): string =>
  `<email-${id}-${made_at.getTime()}@${from.slice(from.lastIndexOf('@') + 1)}>`;
