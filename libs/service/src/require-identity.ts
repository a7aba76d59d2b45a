import { type ErrorCode, IDENTITY_HEADER, IDENTITY_REFUSED_HEADER, type Role } from '@frontdesk/contracts';
import type { App } from './app.ts';
import { AppError, notFound } from './errors.ts';
import type { Identity, IdentityVerifier } from './identity.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The verified caller. Only set behind `requireIdentity`. */
    identity: Identity;
    /** The tenant that the request acts on. Only set behind `requireIdentity`, where there is one. */
    tenantId: number;
  }
}

/**
 * Lets in only callers with a signed identity of one of these roles. The tenant is the token's own; on routes with
 * `:tenant_id` in the path an operator or a service names any tenant, an admin only their own (else 404). What refuses the identity
 * itself says so in a header, by which the gateway distinguishes it from refusals of the request.
 */
export function requireIdentity(
  app: App,
  options: { verifier: IdentityVerifier; roles: readonly Role[] },
): void {
  app.decorateRequest('identity');
  app.decorateRequest('tenantId');
  app.addHook('onRequest', async (request) => {
    const token = request.headers[IDENTITY_HEADER];
    if (typeof token !== 'string') throw noValidIdentity();
    const identity = await options.verifier.verify(token).catch((cause) => {
      throw noValidIdentity(cause);
    });
    if (!options.roles.includes(identity.role)) throw refused('forbidden', 'This identity may not do that.');
    request.identity = identity;
    const tenantId = tenantOf(identity, (request.params as { tenant_id?: string } | undefined)?.tenant_id);
    if (tenantId !== undefined) request.tenantId = tenantId;
  });
}

function tenantOf(identity: Identity, pathTenant: string | undefined): number | undefined {
  const isTenantBound = identity.role === 'integrator' || identity.role === 'admin';
  if (isTenantBound && identity.tenantId === undefined) {
    throw noValidIdentity();
  }
  if (pathTenant === undefined) return identity.tenantId;
  const named = /^[1-9]\d{0,15}$/.test(pathTenant) ? Number(pathTenant) : Number.NaN;
  if (!Number.isSafeInteger(named) || (isTenantBound && named !== identity.tenantId))
    throw notFound('Tenant');
  return named;
}

const refused = (code: ErrorCode, message: string, cause?: unknown) =>
  new AppError(code, message, { cause, headers: { [IDENTITY_REFUSED_HEADER]: '1' } });

const noValidIdentity = (cause?: unknown) => refused('unauthorized', 'A valid identity is required.', cause);
