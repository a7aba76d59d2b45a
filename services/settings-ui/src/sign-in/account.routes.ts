import { changePasswordBody, dataOf, signedIn } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import { z } from 'zod';
import { audited } from '../audit/audited.ts';
import { answerChange } from '../changes/changes.ts';
import { csrfTokenOf } from '../forms/csrf.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import { createAccountPage } from './account-page.ts';
import { changePassword } from './change-password.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

export function accountRoutes(app: App, deps: SignInRouteDeps): void {
  const { database, sessions, cookie, deviceCookie, addressOf, clientOf } = deps;
  const show = createAccountPage(deps);

  app.get('/settings/account', (request, reply) => show(request, reply));

  app.post(
    '/settings/account/password',
    {
      schema: { body: changePasswordBody, response: { 200: dataOf(signedIn) } },
      config: {
        isForSuspended: true,
        errorPage: (request, reply, error) =>
          show(request, reply, {
            password: formWithErrors(request, error, ['current_password', 'new_password']),
          }),
      },
    },
    async (request, reply) => {
      const { current_password: current, new_password: next } = request.body;
      const change = { current, next, client: clientOf(request) };
      const { session, device } = await changePassword(deps, request.session, change);
      cookie.set(reply, session.token);
      deviceCookie.set(reply, device);
      const data = { csrf_token: csrfTokenOf(session.csrfSecret) };
      return answerChange(request, reply, { data, notice: 'password-changed', to: '/settings/account' });
    },
  );

  app.post(
    '/settings/sign-out',
    {
      config: { isForSuspended: true },
      schema: { response: { 200: dataOf(z.object({ signed_out: z.literal(true) })) } },
    },
    async (request, reply) => {
      const { tenantId, email, token, membershipId, proof } = request.session;
      const { accountId } = proof;
      const actor = { name: email, address: addressOf(request), accountId, membershipId };
      const change = { action: 'signed_out', subject: '' } as const;
      await audited(database.forTenant(tenantId), actor, change, () => sessions.end(token));
      cookie.clear(reply);
      const data = { signed_out: true as const };
      return answerChange(request, reply, { data, notice: 'signed-out', to: '/settings/sign-in' });
    },
  );
}
