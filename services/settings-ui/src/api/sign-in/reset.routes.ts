import { resetPasswordBody } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import { z } from 'zod';
import { requireResetLink, resetPassword } from '../../use-cases/reset-password.ts';
import { messagePage } from '../../views/shared/message.view.ts';
import { EMPTY_FORM, textOf } from '../../views/shared/page-context.ts';
import { resetPage } from '../../views/sign-in/password.view.ts';
import { requireSameSite } from '../shared/csrf.ts';
import { refusedForm } from '../shared/refusals.ts';
import { OPEN_FORM_LIMIT_BYTES } from '../shared/web.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

const TITLE = 'Set a new password';

export function resetRoutes(app: App, deps: SignInRouteDeps): void {
  const { database, pages, deviceCookie, addressOf } = deps;

  app.get(
    '/settings/reset',
    {
      schema: { querystring: z.object({ token: z.string() }) },
      config: {
        isForEverybody: true,
        failurePage: (request, reply, error) => {
          const text = error.errors?.token?.[0] ?? error.message;
          return pages.send(reply, messagePage(pages.context(request), { title: TITLE, text }));
        },
      },
    },
    async (request, reply) => {
      const { token } = request.query;
      await requireResetLink(database.system, token);
      return pages.send(reply, resetPage(pages.context(request), EMPTY_FORM, token));
    },
  );

  app.post(
    '/settings/reset',
    {
      bodyLimit: OPEN_FORM_LIMIT_BYTES,
      schema: { body: resetPasswordBody },
      config: {
        isForEverybody: true,
        failurePage: (request, reply, error) => {
          const form = refusedForm(request, error, ['new_password']);
          return pages.send(reply, resetPage(pages.context(request), form, textOf(form, 'token')));
        },
      },
      preValidation: async (request) => requireSameSite(request),
    },
    async (request, reply) => {
      const { token, new_password: password } = request.body;
      const device = await resetPassword(deps, { token, password, address: addressOf(request) });
      deviceCookie.set(reply, device);
      return reply.redirect('/settings/sign-in?done=password-set', 303);
    },
  );
}
