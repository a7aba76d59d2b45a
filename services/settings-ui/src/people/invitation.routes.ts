import { resetPasswordBody } from '@frontdesk/contracts';
import type { App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { orNull } from '../clients/or-null.ts';
import { requireSameSite } from '../forms/csrf.ts';
import { isVoidLink, limitLinks } from '../sign-in/link-limits.ts';
import { invitationPage } from '../sign-in/password.view.ts';
import type { SignInRouteDeps } from '../sign-in/sign-in-route-deps.ts';
import { errorText, formWithErrors } from '../ui/form-errors.ts';
import { messagePage } from '../ui/message.view.ts';
import { EMPTY_FORM, textOf } from '../ui/page-context.ts';
import { OPEN_FORM_LIMIT_BYTES } from '../ui/web.ts';
import { joinByInvitation, requireInvitation } from './invite-admin.ts';

const PATH = '/settings/invitation';

/** Where an invitation leads: who is invited chooses a password. */
export function invitationRoutes(app: App, deps: SignInRouteDeps): void {
  const { database, gateway, pages, deviceCookie, addressOf } = deps;
  const { count, follow } = limitLinks(deps);

  const show = async (request: FastifyRequest, reply: FastifyReply, token: string, form = EMPTY_FORM) => {
    const {
      tenant_id,
      email,
      invited_by_email: invitedBy,
    } = await follow(request, () => requireInvitation(database.systemForRequests, token));
    const tenant = await orNull(gateway.tenant(tenant_id));
    const page = { token, email, invitedBy, business: tenant?.name ?? null, form };
    return pages.send(reply, invitationPage(pages.context(request), page));
  };

  const sayRefusal = (request: FastifyRequest, reply: FastifyReply, error: AppError) => {
    const text = errorText(error);
    return pages.send(reply, messagePage(pages.context(request), { title: 'Invitation', text }));
  };

  app.get(
    PATH,
    {
      preValidation: count,
      schema: { querystring: z.object({ token: z.string() }) },
      config: { isForEverybody: true, errorPage: sayRefusal },
    },
    async (request, reply) => show(request, reply, request.query.token),
  );

  app.post(
    PATH,
    {
      bodyLimit: OPEN_FORM_LIMIT_BYTES,
      schema: { body: resetPasswordBody },
      config: {
        isForEverybody: true,
        errorPage: async (request, reply, error) => {
          const form = formWithErrors(request, error, ['new_password']);
          const token = textOf(form, 'token');
          // What could not be read names no link; the others are not worth a look-up.
          if (token === '' || isVoidLink(error) || error.code === 'rate_limited')
            return sayRefusal(request, reply, error);
          return show(request, reply, token, form).catch((cause: unknown) => {
            if (isVoidLink(cause)) return sayRefusal(request, reply, cause as AppError);
            throw cause;
          });
        },
      },
      preValidation: [count, async (request) => requireSameSite(request)],
    },
    async (request, reply) => {
      const { token, new_password: password } = request.body;
      const address = addressOf(request);
      const device = await follow(request, () => joinByInvitation(deps, { token, password, address }));
      deviceCookie.set(reply, device);
      return reply.redirect('/settings/sign-in?done=invitation-accepted', 303);
    },
  );
}
