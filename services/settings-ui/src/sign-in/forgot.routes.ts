import { dataOf, emailSent, forgotBody } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireSameSite } from '../forms/csrf.ts';
import { queueAccountEmail } from '../mail/email.repository.ts';
import { wantsJson } from '../ui/accept.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import { messagePage } from '../ui/message.view.ts';
import { EMPTY_FORM } from '../ui/page-context.ts';
import { OPEN_FORM_LIMIT_BYTES } from '../ui/web.ts';
import { forgotPage } from './password.view.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

const FORGOT = '/settings/forgot';

/**
 * Sends a link for a new password, if the address has an account. That is found out when the email is composed, so neither the
 * answer here nor its time depends on it.
 */
export function forgotRoutes(app: App, deps: SignInRouteDeps): void {
  const { database, pages, attempts, mailLimits, addressOf } = deps;
  const show = (request: FastifyRequest, reply: FastifyReply, form = EMPTY_FORM) =>
    pages.send(reply, forgotPage(pages.context(request), form));

  app.get(FORGOT, async (request, reply) => show(request, reply));

  app.post(
    FORGOT,
    {
      bodyLimit: OPEN_FORM_LIMIT_BYTES,
      schema: { body: forgotBody, response: { 202: dataOf(emailSent) } },
      config: {
        isForEverybody: true,
        errorPage: (request, reply, error) => show(request, reply, formWithErrors(request, error, ['email'])),
      },
      preValidation: async (request) => requireSameSite(request),
    },
    async (request, reply) => {
      const { email } = request.body;
      await attempts.countForgotten(addressOf(request));
      if (await mailLimits.takeReset(email))
        await queueAccountEmail(database.systemForRequests, {
          kind: 'reset',
          recipients: [email.trim()],
          details: {},
          tenantId: null,
        });
      reply.code(202);
      if (wantsJson(request)) return ok({ sent: true as const });
      const text = `If ${email.trim()} has an account, we have sent it a link to set a new password. The link works for an hour. If nothing arrives, look into the spam folder, and check the address.`;
      return pages.send(reply, messagePage(pages.context(request), { title: 'Check your email', text }));
    },
  );
}
