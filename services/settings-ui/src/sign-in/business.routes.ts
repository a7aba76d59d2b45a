import { chooseBusinessBody, dataOf, signedIn } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { csrfTokenOf, requireSameSite } from '../forms/csrf.ts';
import { fromForm, typedNumber } from '../forms/form-values.rules.ts';
import type { Session } from '../session/session.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { OPEN_FORM_LIMIT_BYTES } from '../ui/web.ts';
import { businessPage } from './business.view.ts';
import { chooseBusiness, requirePending } from './choose-business.ts';
import { loadBusinesses } from './load-businesses.ts';
import { HOME, nextField } from './next-page.rules.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

const CHOOSE = '/settings/sign-in/business';
const SWITCH = '/settings/switch-business';

const pageField = z.coerce.number().int().positive().max(10_000).catch(1);

const body = fromForm(chooseBusinessBody.extend({ next: z.string().pipe(nextField).optional() }), {
  business_id: typedNumber,
});
const schema = { body, response: { 200: dataOf(signedIn) } };

function answerSignedIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { session, next = HOME }: { session: Session; next?: string | undefined },
) {
  if (wantsJson(request)) return ok({ csrf_token: csrfTokenOf(session.csrfSecret) });
  return reply.redirect(next, 303);
}

/** The choice of a business at the sign-in of an account in several. */
export function chooseBusinessRoutes(app: App, deps: SignInRouteDeps): void {
  const { pages, pendingSignIns, pendingCookie, cookie, sessions, attempts, clientOf } = deps;

  app.get(
    CHOOSE,
    { schema: { querystring: z.object({ next: nextField, page: pageField }).loose() } },
    async (request, reply) => {
      const { next, page } = request.query;
      const { proof } = await requirePending(deps, request);
      const list = await loadBusinesses(deps, proof.accountId, page);
      const shown = { ...list, action: CHOOSE, page, current: null, next };
      return pages.send(reply, businessPage(pages.context(request), shown));
    },
  );

  app.post(
    CHOOSE,
    {
      bodyLimit: OPEN_FORM_LIMIT_BYTES,
      schema,
      preValidation: async (request) => requireSameSite(request),
    },
    async (request, reply) => {
      const { business_id: businessId, next } = request.body;
      const { token, proof } = await requirePending(deps, request);
      await attempts.countSignIn(proof.accountId, 'chosen');
      const session = await chooseBusiness(deps, {
        proof,
        businessId,
        client: clientOf(request),
        claim: () => pendingSignIns.end(token),
      });
      pendingCookie.clear(reply);
      const before = cookie.read(request);
      if (before !== undefined) await sessions.end(before);
      cookie.set(reply, session.token);
      return answerSignedIn(request, reply, { session, next });
    },
  );
}

/** The change to another business. Forms of the one before are refused from then on: they carry its session's token. */
export function switchBusinessRoutes(app: App, deps: SignInRouteDeps): void {
  const { pages, cookie, sessions, attempts, clientOf } = deps;

  app.get(
    SWITCH,
    { schema: { querystring: z.object({ page: pageField }).loose() } },
    async (request, reply) => {
      const { page } = request.query;
      const list = await loadBusinesses(deps, request.session.proof.accountId, page);
      const shown = { ...list, action: SWITCH, page, current: request.tenantId, next: HOME };
      return pages.send(reply, businessPage(pages.context(request), shown));
    },
  );

  app.post(SWITCH, { schema, config: { isForSuspended: true } }, async (request, reply) => {
    const { session: before, body: sent } = request;
    // Without the cookie: where another request switches meanwhile, the browser keeps that one's.
    if (sent.business_id === before.tenantId) return answerSignedIn(request, reply, { session: before });
    await attempts.countSignIn(before.proof.accountId, 'switched');
    const session = await chooseBusiness(deps, {
      proof: before.proof,
      businessId: sent.business_id,
      client: clientOf(request),
      claim: () => sessions.end(before.token),
    });
    cookie.set(reply, session.token);
    return answerSignedIn(request, reply, { session });
  });
}
