import { z } from 'zod';
import { MEMBER_ROLES } from '../access/roles.ts';
import { because } from '../errors/field-faults.ts';
import { isMailAddress, MAIL_ADDRESS } from '../fields/email-address.ts';
import { instantOut, positiveId, requiredText, textField } from '../fields/fields.ts';
import { MAX_LENGTH } from '../limits/api-limits.ts';

/** Longest that is read of a password: what hashes it takes time by its length. */
const MAX_PASSWORD = 200;
export const MIN_PASSWORD = 10;

/** An address that emails are sent to. */
export const emailField = textField(MAX_LENGTH.email)
  .refine(
    (text) => text.length > MAX_LENGTH.email || isMailAddress(text),
    because({ reason: 'not_email' }, 'The {field} field must be an email address.'),
  )
  .meta({ pattern: MAIL_ADDRESS.source });

/** Whose address it is, however odd: nothing is sent to it. */
export const knownEmail = textField(MAX_LENGTH.email);

/** A password that somebody chooses. */
export const newPasswordField = textField(MAX_PASSWORD)
  .min(MIN_PASSWORD, `The {field} field must be at least ${MIN_PASSWORD} characters.`)
  .refine(
    (text) => text.trim() !== '',
    because({ reason: 'blank' }, 'The {field} field must not be white space alone.'),
  );

export const signInBody = z.object({ email: knownEmail, password: textField(MAX_PASSWORD) });
export const signedIn = z.object({ csrf_token: z.string() });

/** A business that somebody belongs to. */
export const ownBusiness = z.object({
  id: z.int(),
  /** Null while the gateway is away. */
  name: z.string().nullable(),
  is_suspended: z.boolean(),
});

/** An accepted invitation. Without a token of a session where the account is new: it signs in first. */
export const invitationAccepted = z.object({ id: z.int(), csrf_token: z.string().nullable() });

export type OwnBusiness = z.infer<typeof ownBusiness>;

export const chooseBusinessBody = z.object({ business_id: positiveId });

/** A browser that is signed in to one's account. */
export const sessionSchema = z.object({
  id: z.string(),
  /** For example “Chrome on Windows”. */
  device: z.string(),
  /** The addresses around its own; null for a session of an earlier release. */
  network: z.string().nullable(),
  started_at: instantOut,
  last_used_at: instantOut,
  /** The name of the one that is open there; null while the gateway is away. */
  business: z.string().nullable(),
  is_current: z.boolean(),
});

export type SessionRecord = z.infer<typeof sessionSchema>;

export const endedSession = z.object({ id: z.string(), ended: z.literal(true) });

export const confirmBody = z.object({ password: textField(MAX_PASSWORD) });
export const confirmed = z.object({ confirmed_until: instantOut });

/** What a page's forms send to change a password. */
export const changePasswordBody = z.object({
  current_password: textField(MAX_PASSWORD),
  new_password: newPasswordField,
});
const linkToken = textField(100);
export const resetPasswordBody = z.object({ token: linkToken, new_password: newPasswordField });
/** `new_password`: of who has no account yet. */
export const acceptInvitationBody = z.object({ token: linkToken, new_password: newPasswordField.optional() });
export const addressLinkBody = z.object({ token: linkToken });
/** An odd address too: whose account has one sets a password as others do. */
export const forgotBody = z.object({ email: requiredText(MAX_LENGTH.email) });
export const changeAddressBody = z.object({ email: emailField });
/** Whatever the address is. */
export const emailSent = z.object({ sent: z.literal(true) });

const roleField = z.enum(MEMBER_ROLES, `The {field} field must be one of ${MEMBER_ROLES.join(', ')}.`);

/** Who names no role gives everything, as 0.1.0 did. */
const givenRole = roleField.default('owner');

/** `password`: of an address that has no account yet. */
export const createAdminBody = z.object({
  email: emailField,
  password: newPasswordField.optional(),
  role: givenRole,
});
export const setPasswordBody = z.object({ email: knownEmail, password: newPasswordField });
export const resetLinkBody = z.object({ email: knownEmail });

/** Somebody who signs in to one tenant's settings. */
export const adminUserSchema = z.object({
  id: z.int(),
  email: z.string(),
  role: z.enum(MEMBER_ROLES),
  created_at: instantOut,
  last_sign_in_at: instantOut.nullable(),
});

export type AdminUser = z.infer<typeof adminUserSchema>;

/** Somebody who may become an admin, by a link that they have been sent. */
const invitationSchema = z.object({
  id: z.int(),
  email: z.string(),
  /** What they will be. */
  role: z.enum(MEMBER_ROLES),
  /** The email of the admin who made it. */
  invited_by: z.string(),
  created_at: instantOut,
  expires_at: instantOut,
});

export type Invitation = z.infer<typeof invitationSchema>;

export const invitationBody = z.object({ email: emailField, role: givenRole });

export const changeRoleBody = z.object({ role: roleField });

/** Its link goes to the address alone. */
export const invitationMade = invitationSchema.pick({ id: true, email: true, role: true, expires_at: true });

/** The JSON of `GET /settings/people`. */
export const peopleSchema = z.object({
  admins: z.array(adminUserSchema),
  invitations: z.array(invitationSchema),
});

export const resetLinkSchema = z.object({ url: z.string(), expires_at: instantOut });
