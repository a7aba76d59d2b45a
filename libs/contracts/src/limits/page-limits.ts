// Times and limits that admins meet on the settings pages.

/** A session ends after so many hours without use, and after so many days however much it is used. */
export const SESSION_IDLE_HOURS = 12;
export const SESSION_DAYS = 30;

/** So long after the password was shown keys, secrets, members, the address and exports can be reached without it. */
export const CONFIRMED_MINUTES = 10;

/** How long a form can be sent after its page was drawn. */
export const FORM_LIVES_HOURS = 24;

/** How long the link of an invitation works, and that of a new password. */
export const INVITATION_DAYS = 7;
export const RESET_MINUTES = 60;

/** Failed attempts to sign in are counted in windows of this length. */
export const ATTEMPTS_MINUTES = 15;
/** Guesses at one password by strangers, or by one device. */
export const PASSWORD_ATTEMPTS = 20;
/**
 * Guesses at any passwords from one IPv4 address or /64, which many people may share, and from an IPv6 subscriber's
 * larger networks.
 */
export const NETWORK_ATTEMPTS = [
  { bits: 64, limit: 60 },
  { bits: 56, limit: 120 },
  { bits: 48, limit: 240 },
] as const;
/** Requests with a link, good or void, from the same networks. */
export const LINK_REQUESTS = [
  { bits: 64, limit: 300 },
  { bits: 56, limit: 600 },
  { bits: 48, limit: 1_200 },
] as const;
