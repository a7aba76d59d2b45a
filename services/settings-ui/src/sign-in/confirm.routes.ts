import { confirmBody, confirmed, dataOf } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import { z } from 'zod';
import { confirmedUntil } from '../session/session.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { CONFIRM, confirmPageOf } from '../ui/confirm-page.ts';
import { HOME, nextField } from './next-page.rules.ts';
import { confirmSession } from './own-password.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

/** Takes the password again: from programs, and from people on their way to a page or a file. */
export function confirmRoutes(app: App, deps: SignInRouteDeps): void {
  const { pages, addressOf } = deps;

  app.post(
    CONFIRM,
    {
      schema: {
        body: confirmBody.extend({ next: z.string().pipe(nextField).optional() }),
        response: { 200: dataOf(confirmed) },
      },
      config: {
        isForSuspended: true,
        errorPage: (request, reply, error) =>
          pages.send(reply, confirmPageOf(pages.context(request), request, error)),
      },
    },
    async (request, reply) => {
      const { password, next = HOME } = request.body;
      const proof = await confirmSession(deps, request.session, { password, address: addressOf(request) });
      if (!wantsJson(request)) return reply.redirect(next, 303);
      return ok({ confirmed_until: new Date(confirmedUntil(proof)).toISOString() });
    },
  );
}
