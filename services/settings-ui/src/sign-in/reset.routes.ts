import { resetPasswordBody } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireSameSite } from '../forms/csrf.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import { EMPTY_FORM, textOf } from '../ui/page-context.ts';
import { OPEN_FORM_LIMIT_BYTES } from '../ui/web.ts';
import { handleLinks, isVoidLink } from './links.ts';
import { resetPage } from './password.view.ts';
import { requireResetLink, resetPassword } from './reset-password.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

export function resetRoutes(app: App, deps: SignInRouteDeps): void {
  const { database, pages, deviceCookie, addressOf } = deps;
  const { count, follow, sayRefusal, showAgain } = handleLinks(deps, 'Set a new password');

  const show = async (request: FastifyRequest, reply: FastifyReply, token: string, form = EMPTY_FORM) => {
    await follow(request, () => requireResetLink(database.systemForRequests, token));
    return pages.send(reply, resetPage(pages.context(request), form, token));
  };

  app.get(
    '/settings/reset',
    {
      preValidation: count,
      schema: { querystring: z.object({ token: z.string() }) },
      config: { isForEverybody: true, errorPage: sayRefusal },
    },
    async (request, reply) => show(request, reply, request.query.token),
  );

  app.post(
    '/settings/reset',
    {
      bodyLimit: OPEN_FORM_LIMIT_BYTES,
      schema: { body: resetPasswordBody },
      config: {
        isForEverybody: true,
        errorPage: async (request, reply, error) => {
          const form = formWithErrors(request, error, ['new_password']);
          const token = textOf(form, 'token');
          // What could not be read names no link.
          if (token === '') return sayRefusal(request, reply, error);
          // Neither is worth a look-up.
          if (isVoidLink(error) || error.code === 'rate_limited')
            return pages.send(reply, resetPage(pages.context(request), form, token));
          return showAgain(request, reply, () => show(request, reply, token, form));
        },
      },
      preValidation: [count, async (request) => requireSameSite(request)],
    },
    async (request, reply) => {
      const { token, new_password: password } = request.body;
      const address = addressOf(request);
      const device = await follow(request, () => resetPassword(deps, { token, password, address }));
      deviceCookie.set(reply, device);
      return reply.redirect('/settings/sign-in?done=password-set', 303);
    },
  );
}
