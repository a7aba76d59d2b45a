import type { App, AppError } from '@frontdesk/service';
import type { FastifyReply } from 'fastify';
import { requireCsrfToken } from '../forms/csrf.ts';
import { notOfRole, scopeOfPage } from '../ui/page-scopes.rules.ts';
import type { BrowserCookie } from './cookies.ts';
import type { LostBusiness } from './find-session.ts';
import { notSignedIn, type Session, type SignInProof } from './session.rules.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in. Only set behind `requireSession`. */
    session: Session;
  }
}

/**
 * Lets in only who is signed in, and changes only with the session's token. The tenant is the session's own. What is
 * answered is for this session alone: nothing keeps it. Whose role doesn't open the page gets `forbidden`.
 */
export function requireSession(
  app: App,
  deps: {
    cookie: BrowserCookie;
    /** Uses the session, unless the route is one that pages ask by themselves. */
    findSession: (token: string, options: { isLive: boolean }) => Promise<Session | LostBusiness | null>;
    /** Ends a session whose business is lost. @returns the failure that asks for another business */
    askForBusiness: (reply: FastifyReply, lost: { token: string; proof: SignInProof }) => Promise<AppError>;
  },
): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ 'cache-control': 'no-store', vary: 'accept' });
    const token = deps.cookie.read(request);
    const { isLive = false } = request.routeOptions.config;
    const found = token === undefined ? null : await deps.findSession(token, { isLive });
    if (token === undefined || !found || (isLive && 'validProof' in found)) throw notSignedIn();
    if ('validProof' in found) throw await deps.askForBusiness(reply, { token, proof: found.validProof });
    request.session = found;
    request.tenantId = found.tenantId;
    const { method, routeOptions } = request;
    const scope = scopeOfPage(method, routeOptions.url ?? '');
    if (scope !== null && !found.scopes.includes(scope)) throw notOfRole();
  });
  app.addHook('preValidation', async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') requireCsrfToken(request);
  });
}
