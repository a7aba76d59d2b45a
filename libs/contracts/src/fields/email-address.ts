/** What an address may hold beside letters, digits and their marks, before the @ (RFC 5322, 3.2.3: atext). */
const SIGNS = String.raw`!#$%&'*+/=?^_\u0060{|}~-`;
const ATOM = String.raw`[\p{L}\p{M}\p{N}${SIGNS}]+`;
/**
 * Of any script, as people write a domain; or in its form for machines, `xn--`. Letters of some scripts are joined by
 * U+200C and U+200D.
 */
const LABEL = String.raw`[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}\u200c\u200d-]{0,61}[\p{L}\p{M}\p{N}])?`;
/** A top-level domain has no digits, but in its form for machines. */
const LAST_LABEL = String.raw`(?:[\p{L}\p{M}]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])`;
const ADDRESS = new RegExp(String.raw`^${ATOM}(?:\.${ATOM})*@(?:${LABEL}\.)+${LAST_LABEL}$`, 'iu');

/**
 * Whether the text is an e-mail address as people have them, an international one (RFC 6531) too. Neither a quoted name before the @
 * nor a domain of one label nor an address in numbers is.
 */
export const isEmailAddress = (text: string): boolean => ADDRESS.test(text);

/** Marks that a mail program takes for something else than a part of an address. */
const PART = String.raw`[^\s\p{C}@<>()[\]\\,;:"]+`;

/**
 * The address of an account, an invitation or the sender of emails: every mail program reads it as one address, and not as
 * two with a comma. It is wider than the rule for customers, so that accounts with odd addresses keep theirs.
 */
export const MAIL_ADDRESS = new RegExp(String.raw`^${PART}@${PART}\.${PART}$`, 'u');

/** Whether an email can be sent to it. */
export const isMailAddress = (text: string): boolean => MAIL_ADDRESS.test(text);
