import type { App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireCsrfToken } from '../forms/csrf.ts';
import { mayUseRoute, notOfRole } from '../ui/page-scopes.rules.ts';
import type { BrowserCookie } from './cookies.ts';
import type { LostBusiness } from './find-session.ts';
import { notSignedIn, type Session, type SignInProof } from './session.rules.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in. Only set behind `requireSession`. */
    session: Session;
  }
}

/** For a page or a change; for what an open page asks by itself, which is no use of the session; once more in the same request. */
export type SessionLook = 'use' | 'live' | 'again';

/**
 * Lets in only who is signed in, and changes only with the session's token. The tenant is the session's own. What is
 * answered is for this session alone: nothing keeps it.
 * @throws AppError `forbidden` where the role doesn't allow the page
 */
export function requireSession(
  app: App,
  deps: {
    cookie: BrowserCookie;
    findSession: (token: string, look: SessionLook) => Promise<Session | LostBusiness | null>;
    /** Ends a session whose business is lost. @returns the failure that asks for another business */
    askForBusiness: (reply: FastifyReply, lost: { token: string; proof: SignInProof }) => Promise<AppError>;
  },
): void {
  const admit = async (request: FastifyRequest, reply: FastifyReply, look: SessionLook): Promise<void> => {
    const token = deps.cookie.read(request);
    const found = token === undefined ? null : await deps.findSession(token, look);
    if (token === undefined || !found || (look === 'live' && 'validProof' in found)) throw notSignedIn();
    if ('validProof' in found) throw await deps.askForBusiness(reply, { token, proof: found.validProof });
    request.session = found;
    request.tenantId = found.tenantId;
    if (!mayUseRoute(found, request)) throw notOfRole();
  };

  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ 'cache-control': 'no-store', vary: 'accept' });
    await admit(request, reply, request.routeOptions.config.isLive ? 'live' : 'use');
  });
  app.addHook('preValidation', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return;
    // The body may have taken its time: what its sender may do is asked once it is there.
    await admit(request, reply, 'again');
    requireCsrfToken(request);
  });
}
