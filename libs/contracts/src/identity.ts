import { z } from 'zod';
import { planField } from './plans.ts';

/** What a caller may be. `service` is one Frontdesk service calling another. */
const ROLES = ['integrator', 'admin', 'operator', 'service'] as const;
export type Role = (typeof ROLES)[number];

/** Who may say so: an issuer's key vouches only for these roles. */
export const ISSUER_ROLES = {
  gateway: ['integrator', 'service'],
  'settings-ui': ['admin'],
  operator: ['operator'],
  scheduling: ['service'],
  crm: ['service'],
  calls: ['service'],
  webhooks: ['service'],
} as const satisfies Record<string, readonly Role[]>;

export type Issuer = keyof typeof ISSUER_ROLES;

/** Header that carries the signed identity from the gateway to a service. */
export const IDENTITY_HEADER = 'x-frontdesk-identity';

/** Header of an answer that refuses that identity itself, whatever else of the request may be wrong. */
export const IDENTITY_REFUSED_HEADER = 'x-frontdesk-identity-refused';

/** Claims of an identity token (JWT, EdDSA). `aud` is the name of the one service it is for. */
export const identityClaims = z.object({
  iss: z.enum(Object.keys(ISSUER_ROLES) as [Issuer, ...Issuer[]]),
  aud: z.string(),
  iat: z.int(),
  exp: z.int(),
  role: z.enum(ROLES),
  tenant_id: z.int().positive().optional(),
  key_id: z.int().positive().optional(),
  plan: planField.optional(),
});

export type IdentityClaims = z.infer<typeof identityClaims>;
