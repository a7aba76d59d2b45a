import {
  type ErrorCode,
  IDENTITY_HEADER,
  IDENTITY_REFUSED_HEADER,
  mayCall,
  type Role,
  type Scope,
} from '@frontdesk/contracts';
import type { FastifyRequest } from 'fastify';
import { AppError, notFound } from '../errors/app-error.ts';
import type { App } from '../http/app.ts';
import type { Identity, IdentityVerifier } from './identity.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The verified caller. Only set behind `requireIdentity` and `guardInternalPort`. */
    identity: Identity;
    /** The tenant that the request acts on. Only set behind `requireIdentity`, where there is one. */
    tenantId: number;
  }
}

/**
 * The door of an internal port: without an identity only health and metrics answer, and with one only the routes that the table of
 * access (libs/contracts) has for its issuer. Of paths that are no routes nobody else learns either.
 */
export function guardInternalPort(app: App, verifier: IdentityVerifier): void {
  app.decorateRequest('identity');
  app.addHook('onRequest', async (request) => {
    const { is404, method, routeOptions, url } = request;
    if (is404 ? !url.startsWith('/internal') : routeOptions.config.open) return;
    const { issuer } = await identify(request, verifier);
    if (!mayCall(issuer, verifier.audience, method, is404 ? undefined : routeOptions.url)) throw notAllowed();
  });
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
  // On an internal port its guard has identified the caller.
  if (!app.hasRequestDecorator('identity')) app.decorateRequest('identity');
  app.decorateRequest('tenantId');
  app.addHook('onRequest', async (request) => {
    const identity = request.identity ?? (await identify(request, options.verifier));
    if (!options.roles.includes(identity.role)) throw notAllowed();
    // 404 and 405 are the same for everybody.
    if (!request.is404) requireScope(identity, request.routeOptions.config.scope);
    const tenantId = tenantOf(identity, (request.params as { tenant_id?: string } | undefined)?.tenant_id);
    if (tenantId !== undefined) request.tenantId = tenantId;
  });
}

/**
 * Keys and members need the route's scope. What operators and services may call is in INTERNAL_ACCESS.
 * @param scope that of the route; null where belonging to the business is enough
 */
function requireScope({ role, scopes }: Identity, scope: Scope | null | undefined): void {
  if (role !== 'integrator' && role !== 'admin') return;
  if (scope === null) return;
  // A route that declares no scope is closed to keys and members.
  if (scope === undefined) throw notAllowed();
  if (!scopes.has(scope)) throw insufficient(scope);
}

/**
 * Where it isn't the route that decides: nobody gives others, or sends elsewhere, what they do not have. Operators may.
 * @throws AppError `insufficient_scope` for the first scope that the caller lacks
 */
export function requireScopes(caller: Identity, needed: readonly Scope[]): void {
  const lacking = needed.find((scope) => !hasScope(caller, scope));
  if (lacking !== undefined) throw insufficient(lacking);
}

/** Whether the caller may do what the scope opens. */
export const hasScope = ({ role, scopes }: Identity, scope: Scope): boolean =>
  role === 'operator' || scopes.has(scope);

function insufficient(scope: Scope): AppError {
  return new AppError('insufficient_scope', `This needs the scope ${scope}.`, {
    data: { scope },
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

/** Who is calling, noted at the request, so that its log line names also a caller who is refused. */
async function identify(request: FastifyRequest, verifier: IdentityVerifier): Promise<Identity> {
  const token = request.headers[IDENTITY_HEADER];
  if (typeof token !== 'string') throw noValidIdentity();
  const identity = await verifier.verify(token).catch((cause) => {
    throw noValidIdentity(cause);
  });
  request.identity = identity;
  return identity;
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

const notAllowed = () => refused('forbidden', 'This identity may not do that.');
const noValidIdentity = (cause?: unknown) => refused('unauthorized', 'A valid identity is required.', cause);
