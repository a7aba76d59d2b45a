import type { FastifyReply, FastifyRequest } from 'fastify';
import { orNull } from '../clients/or-null.ts';
import { regionOf } from '../region/region.rules.ts';
import type { FormState } from '../ui/page-context.ts';
import { accountPage } from './account.view.ts';
import { loadSessions } from './load-sessions.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

/** Shows an account's own page. `forms`: those that were refused, as they were typed. */
export const createAccountPage =
  (deps: SignInRouteDeps) =>
  async (
    request: FastifyRequest,
    reply: FastifyReply,
    forms: { password?: FormState; address?: FormState } = {},
  ) => {
    const { gateway, pages } = deps;
    const [sessions, tenant] = await Promise.all([
      loadSessions(deps, request.session),
      orNull(gateway.tenant(request)),
    ]);
    const page = { ...forms, sessions, region: regionOf({ tenant }) };
    return pages.send(reply, accountPage(pages.context(request), page));
  };
