import { addressLinkBody, changeAddressBody, dataOf, emailSent } from '@frontdesk/contracts';
import { type App, type AppError, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Changes } from '../changes/changes.ts';
import { answerChange } from '../changes/changes.ts';
import { requireSameSite } from '../forms/csrf.ts';
import { queueAccountEmail } from '../mail/email.repository.ts';
import { wantsJson } from '../ui/accept.ts';
import { errorText, formWithErrors } from '../ui/form-errors.ts';
import { messagePage } from '../ui/message.view.ts';
import { OPEN_FORM_LIMIT_BYTES } from '../ui/web.ts';
import { createAccountPage } from './account-page.ts';
import { changeAddress, requireAddressLink } from './change-address.ts';
import { limitLinks } from './link-limits.ts';
import { addressPage } from './password.view.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

const ADDRESS = '/settings/address';

/** Where the link leads that was sent to a new address. A press of a button changes it: programs that look into mail open links too. */
export function addressLinkRoutes(app: App, deps: SignInRouteDeps): void {
  const { database, pages, addressOf } = deps;
  const { count, follow } = limitLinks(deps);
  const sayRefusal = (request: FastifyRequest, reply: FastifyReply, error: AppError) => {
    const text = errorText(error);
    return pages.send(reply, messagePage(pages.context(request), { title: 'Email address', text }));
  };
  const config = { isForEverybody: true, errorPage: sayRefusal };

  app.get(
    ADDRESS,
    { preValidation: count, schema: { querystring: z.object({ token: z.string() }) }, config },
    async (request, reply) => {
      const { token } = request.query;
      const link = await follow(request, () => requireAddressLink(database.systemForRequests, token));
      return pages.send(reply, addressPage(pages.context(request), { ...link, token }));
    },
  );

  app.post(
    ADDRESS,
    {
      bodyLimit: OPEN_FORM_LIMIT_BYTES,
      schema: { body: addressLinkBody, response: { 200: dataOf(z.object({ email: z.string() })) } },
      config,
      preValidation: [count, async (request) => requireSameSite(request)],
    },
    async (request, reply) => {
      const sent = { token: request.body.token, address: addressOf(request) };
      const changed = await follow(request, () => changeAddress(deps, sent));
      if (wantsJson(request)) return ok(changed);
      return reply.redirect('/settings/account?done=address-changed', 303);
    },
  );
}

/** Who is signed in asks for another address. It has to be proven by its mail. */
export function changeAddressRoutes(app: App, deps: SignInRouteDeps & { changes: Changes }): void {
  const { database, mailLimits, changes } = deps;
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
      const { tenantId, proof } = session;
      const { email } = request.body;
      const change = { action: 'address_asked', subject: email } as const;
      const data = await mailLimits.countOfSender(session, () =>
        changes.make(request, change, async () => {
          if (await mailLimits.mayConfirm(email, session))
            await queueAccountEmail(database.systemForRequests, {
              kind: 'address_link',
              recipients: [email.trim()],
              details: { account_id: proof.accountId },
              tenantId,
            });
          return { sent: true as const };
        }),
      );
      reply.code(202);
      return answerChange(request, reply, { data, notice: 'address-asked', to: '/settings/account' });
    },
  );
}
