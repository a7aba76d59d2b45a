import { acceptInvitationBody, dataOf, invitationAccepted } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { orNull } from '../clients/or-null.ts';
import { csrfTokenOf, requireSameSite } from '../forms/csrf.ts';
import { chooseBusiness } from '../sign-in/choose-business.ts';
import { handleLinks, isVoidLink } from '../sign-in/links.ts';
import type { SignInRouteDeps } from '../sign-in/sign-in-route-deps.ts';
import { wantsJson } from '../ui/accept.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import { EMPTY_FORM, textOf } from '../ui/page-context.ts';
import { OPEN_FORM_LIMIT_BYTES } from '../ui/web.ts';
import { invitationPage } from './invitation.view.ts';
import { joinByInvitation, requireInvitation } from './join-by-invitation.ts';

const PATH = '/settings/invitation';

/** Where an invitation leads: who has an account joins with it, anybody else chooses a password. */
export function invitationRoutes(app: App, deps: SignInRouteDeps): void {
  const { database, gateway, pages, cookie, sessions, deviceCookie, addressOf, clientOf, peekSession } = deps;
  const { count, follow, sayRefusal, showAgain } = handleLinks(deps, 'Invitation');

  const show = async (request: FastifyRequest, reply: FastifyReply, token: string, form = EMPTY_FORM) => {
    const [{ invitation, account }, session] = await Promise.all([
      follow(request, () => requireInvitation(database.systemForRequests, token)),
      peekSession(request),
    ]);
    const { tenant_id, email, role, invited_by_email: invitedBy } = invitation;
    const business = (await orNull(gateway.tenant({ tenantId: tenant_id })))?.name ?? null;
    const isOwn = account !== null && session?.proof.accountId === account.id;
    const page = {
      token,
      invitedBy,
      role,
      business,
      form,
      email: account?.email ?? email,
      step: account === null ? 'password' : isOwn ? 'join' : 'sign-in',
      signedInAs: session?.email ?? null,
    } as const;
    return pages.send(reply, invitationPage(pages.context(request), page));
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
      schema: { body: acceptInvitationBody, response: { 200: dataOf(invitationAccepted) } },
      config: {
        isForEverybody: true,
        errorPage: async (request, reply, error) => {
          const form = formWithErrors(request, error, ['new_password']);
          const token = textOf(form, 'token');
          // What could not be read names no link; the others are not worth a look-up.
          if (token === '' || isVoidLink(error) || error.code === 'rate_limited')
            return sayRefusal(request, reply, error);
          return showAgain(request, reply, () => show(request, reply, token, form));
        },
      },
      preValidation: [count, async (request) => requireSameSite(request)],
    },
    async (request, reply) => {
      const { token, new_password: password } = request.body;
      const address = addressOf(request);
      const session = await peekSession(request);
      const sent = { token, password, address, session };
      const { tenantId, device } = await follow(request, () => joinByInvitation(deps, sent));
      let csrfToken: string | null = null;
      if (device) deviceCookie.set(reply, device);
      else if (session) {
        const opened = await chooseBusiness(deps, {
          proof: session.proof,
          businessId: tenantId,
          client: clientOf(request),
          claim: () => sessions.end(session.token),
        });
        cookie.set(reply, opened.token);
        csrfToken = csrfTokenOf(opened.csrfSecret);
      }
      if (wantsJson(request)) return ok({ id: tenantId, csrf_token: csrfToken });
      return reply.redirect(
        device ? '/settings/sign-in?done=invitation-accepted' : '/settings?done=joined',
        303,
      );
    },
  );
}
