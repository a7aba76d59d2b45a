import { z } from 'zod';
import { planField } from '../limits/plans.ts';

/** What a caller may be. `service` is one Frontdesk service calling another. */
export const ROLES = ['integrator', 'admin', 'operator', 'service'] as const;
export type Role = (typeof ROLES)[number];

/** Who may say so: an issuer's key vouches only for these roles. webhooks calls nobody, and has no key. */
export const ISSUER_ROLES = {
  gateway: ['integrator', 'service'],
  'settings-ui': ['admin', 'service'],
  operator: ['operator'],
  scheduling: ['service'],
  crm: ['service'],
  calls: ['service'],
} as const satisfies Record<string, readonly Role[]>;

export type Issuer = keyof typeof ISSUER_ROLES;

/** A service with an internal port, for which identities are signed. */
export type Audience = 'gateway' | 'scheduling' | 'crm' | 'calls' | 'webhooks' | 'settings-ui';

/** Header that carries the signed identity from the gateway to a service. */
export const IDENTITY_HEADER = 'x-frontdesk-identity';

/** Header of an answer that refuses that identity itself, whatever else of the request may be wrong. */
export const IDENTITY_REFUSED_HEADER = 'x-frontdesk-identity-refused';

/** Longest name of an operator, in characters. */
export const MAX_ACTOR = 100;

/** One line of visible text: it is shown in audit logs, and may be written into any other. */
const actorName = z
  .string()
  .max(MAX_ACTOR)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u);

/** Claims of an identity token (JWT, EdDSA). `aud` is the name of the one service it is for. */
export const identityClaims = z.object({
  iss: z.enum(Object.keys(ISSUER_ROLES) as [Issuer, ...Issuer[]]),
  aud: z.string(),
  iat: z.int(),
  exp: z.int(),
  role: z.enum(ROLES),
  tenant_id: z.int().positive().optional(),
  key_id: z.int().positive().optional(),
  /** Of the admin who uses the pages. */
  user_id: z.int().positive().optional(),
  plan: planField.optional(),
  /**
   * What the key, or the admin, may do: of `ALL_SCOPES`, or of those of a later release. Processes of the release before name none.
   */
  scopes: z.array(z.string()).optional(),
  /** Who uses the operator's key, as their command line names them. */
  actor: actorName.optional(),
});

export type IdentityClaims = z.infer<typeof identityClaims>;
