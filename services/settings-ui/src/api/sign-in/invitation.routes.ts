import { resetPasswordBody } from '@frontdesk/contracts';
import type { App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { joinByInvitation, requireInvitation } from '../../use-cases/invite-admin.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { messagePage } from '../../views/shared/message.view.ts';
import { EMPTY_FORM, textOf } from '../../views/shared/page-context.ts';
import { invitationPage } from '../../views/sign-in/password.view.ts';
import { requireSameSite } from '../shared/csrf.ts';
import { refusedForm } from '../shared/refusals.ts';
import { OPEN_FORM_LIMIT_BYTES } from '../shared/web.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

const PATH = '/settings/invitation';

/** Where an invitation leads: who is invited chooses a password. */
export function invitationRoutes(app: App, deps: SignInRouteDeps): void {
  const { database, gateway, pages, deviceCookie, addressOf } = deps;

  const show = async (request: FastifyRequest, reply: FastifyReply, token: string, form = EMPTY_FORM) => {
    const { tenant_id, email, invited_by_email: invitedBy } = await requireInvitation(database.system, token);
    const tenant = await orNull(gateway.tenant(tenant_id));
    const page = { token, email, invitedBy, business: tenant?.name ?? null, form };
    return pages.send(reply, invitationPage(pages.context(request), page));
  };

  const sayVoid = (request: FastifyRequest, reply: FastifyReply, error: AppError) => {
    const text = error.errors?.token?.[0] ?? error.message;
    return pages.send(reply, messagePage(pages.context(request), { title: 'Invitation', text }));
  };

  app.get(
    PATH,
    {
      schema: { querystring: z.object({ token: z.string() }) },
      config: { isForEverybody: true, failurePage: sayVoid },
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
        failurePage: (request, reply, error) => {
          if (error.errors?.token) return sayVoid(request, reply, error);
          const form = refusedForm(request, error, ['new_password']);
          return show(request, reply, textOf(form, 'token'), form);
        },
      },
      preValidation: async (request) => requireSameSite(request),
    },
    async (request, reply) => {
      const { token, new_password: password } = request.body;
      const device = await joinByInvitation(deps, { token, password, address: addressOf(request) });
      deviceCookie.set(reply, device);
      return reply.redirect('/settings/sign-in?done=invitation-accepted', 303);
    },
  );
}
