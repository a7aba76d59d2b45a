import { dataOf, signedIn, signInBody } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { csrfTokenOf, requireSameSite } from '../forms/csrf.ts';
import { wantsJson } from '../ui/accept.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import { EMPTY_FORM } from '../ui/page-context.ts';
import { OPEN_FORM_LIMIT_BYTES } from '../ui/web.ts';
import { businessRequired } from './choose-business.ts';
import { HOME, nextField } from './next-page.rules.ts';
import { signIn } from './sign-in.ts';
import { signInPage } from './sign-in.view.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

export function signInRoutes(app: App, deps: SignInRouteDeps): void {
  const { pages, cookie, deviceCookie, pendingCookie, sessions, pendingSignIns, clientOf } = deps;
  const show = (request: FastifyRequest, reply: FastifyReply, form = EMPTY_FORM, next = HOME) =>
    pages.send(reply, signInPage(pages.context(request), form, next));

  app.get('/', async (_request, reply) => reply.redirect(HOME, 303));

  app.get(
    '/settings/sign-in',
    { schema: { querystring: z.object({ next: nextField }).loose() } },
    async (request, reply) => show(request, reply, EMPTY_FORM, request.query.next),
  );

  app.post(
    '/settings/sign-in',
    {
      bodyLimit: OPEN_FORM_LIMIT_BYTES,
      schema: {
        body: signInBody.extend({ next: z.string().pipe(nextField).optional() }),
        response: { 200: dataOf(signedIn) },
      },
      config: {
        isForEverybody: true,
        errorPage: (request, reply, error) => {
          const form = formWithErrors(request, error, ['email', 'password']);
          return show(request, reply, form, nextField.parse(form.values.next));
        },
      },
      preValidation: async (request) => requireSameSite(request),
    },
    async (request, reply) => {
      const { email, password, next } = request.body;
      const { session, proof, device } = await signIn(deps, {
        email,
        password,
        client: clientOf(request),
        device: deviceCookie.read(request),
      });
      // The session that was here before ends, and a planted cookie is worth nothing.
      const before = cookie.read(request);
      if (before !== undefined) await sessions.end(before);
      // So does the sign-in of somebody who left before they chose a business.
      const left = pendingCookie.read(request);
      if (left !== undefined) {
        await pendingSignIns.end(left);
        pendingCookie.clear(reply);
      }
      if (session) cookie.set(reply, session.token);
      else cookie.clear(reply);
      deviceCookie.set(reply, device);
      if (!session) throw await businessRequired(deps, reply, proof);
      if (wantsJson(request)) return ok({ csrf_token: csrfTokenOf(session.csrfSecret) });
      return reply.redirect(next ?? HOME, 303);
    },
  );
}
