import { addressLinkBody, changeAddressBody, dataOf, emailSent } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { answerChange, type Changes } from '../changes/changes.ts';
import { requireSameSite } from '../forms/csrf.ts';
import { wantsJson } from '../ui/accept.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import { OPEN_FORM_LIMIT_BYTES } from '../ui/web.ts';
import { addressPage } from './account.view.ts';
import { createAccountPage } from './account-page.ts';
import { changeAddress, requestAddress, requireAddressLink } from './change-address.ts';
import { handleLinks } from './links.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

const ADDRESS = '/settings/address';

/** The link in the email to a new address. A button changes the address: programs that check emails open links too. */
export function addressLinkRoutes(app: App, deps: SignInRouteDeps): void {
  const { database, pages, addressOf, peekSession } = deps;
  const { count, follow, sayRefusal } = handleLinks(deps, 'Email address');
  const show = async (request: FastifyRequest, reply: FastifyReply, token: string) => {
    const [link, session] = await Promise.all([
      follow(request, () => requireAddressLink(database.systemForRequests, token)),
      peekSession(request),
    ]);
    const isOwn = session?.proof.accountId === link.id;
    const page = { ...link, token, isOwn, signedInAs: session?.email ?? null };
    return pages.send(reply, addressPage(pages.context(request), page));
  };

  app.get(
    ADDRESS,
    {
      preValidation: count,
      schema: { querystring: z.object({ token: z.string() }) },
      config: { isForEverybody: true, errorPage: sayRefusal },
    },
    async (request, reply) => show(request, reply, request.query.token),
  );

  app.post(
    ADDRESS,
    {
      bodyLimit: OPEN_FORM_LIMIT_BYTES,
      schema: { body: addressLinkBody, response: { 200: dataOf(z.object({ email: z.string() })) } },
      config: {
        isForEverybody: true,
        errorPage: (request, reply, error) =>
          error.code === 'unauthorized'
            ? show(request, reply, String(request.sent?.token))
            : sayRefusal(request, reply, error),
      },
      preValidation: [count, async (request) => requireSameSite(request)],
    },
    async (request, reply) => {
      const session = await peekSession(request);
      const sent = { token: request.body.token, address: addressOf(request), session };
      const changed = await follow(request, () => changeAddress(deps, sent));
      if (wantsJson(request)) return ok(changed);
      return reply.redirect('/settings/account?done=address-changed', 303);
    },
  );
}

/** The form for another address, which its owner then proves by a link. */
export function changeAddressRoutes(app: App, deps: SignInRouteDeps & { changes: Changes }): void {
  const { mailLimits, changes } = deps;
  const show = createAccountPage(deps);

  app.post(
    '/settings/account/email',
    {
      schema: { body: changeAddressBody, response: { 202: dataOf(emailSent) } },
      config: {
        isForSuspended: true,
        needsConfirmation: true,
        errorPage: (request, reply, error) =>
          show(request, reply, { address: formWithErrors(request, error, ['email']) }),
      },
    },
    async (request, reply) => {
      const { session } = request;
      const { email } = request.body;
      const change = { action: 'address_asked', subject: email } as const;
      const data = await mailLimits.countOfSender(session, () =>
        changes.make(request, change, async () => {
          await requestAddress(deps, session, email);
          return { sent: true as const };
        }),
      );
      reply.code(202);
      return answerChange(request, reply, { data, notice: 'address-asked', to: '/settings/account' });
    },
  );
}
