import { dataOf, endedSession, sessionSchema, signedIn } from '@frontdesk/contracts';
import { type App, notFound, ok } from '@frontdesk/service';
import { z } from 'zod';
import { answerChange, type Changes } from '../changes/changes.ts';
import { csrfTokenOf } from '../forms/csrf.ts';
import { UNKNOWN_DEVICE } from '../session/client.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { endOtherSessions } from './end-other-sessions.ts';
import { loadSessions } from './load-sessions.ts';
import { SESSIONS, SESSIONS_PANEL } from './sessions.view.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

/** The list of an account's sessions, and their end. */
export function sessionsRoutes(app: App, deps: SignInRouteDeps & { changes: Changes }): void {
  const { sessions, changes, cookie, clientOf } = deps;

  app.get(
    SESSIONS,
    { schema: { response: { 200: dataOf(sessionSchema.array()) } } },
    async (request, reply) => {
      if (!wantsJson(request)) return reply.redirect(SESSIONS_PANEL, 303);
      return ok(await loadSessions(deps, request.session));
    },
  );

  app.post(
    `${SESSIONS}/:id/end`,
    {
      config: { isForSuspended: true, isAlwaysMade: true },
      schema: { params: z.object({ id: z.string() }), response: { 200: dataOf(endedSession) } },
    },
    async (request, reply) => {
      const { session, params } = request;
      const found = (await sessions.list(session.proof)).find(({ id }) => id === params.id);
      if (!found) throw notFound('Session');
      const { id } = found;
      const subject = found.value.device ?? UNKNOWN_DEVICE;
      await changes.make(request, { action: 'session_ended', subject }, () =>
        sessions.endOf(session.proof.accountId, [id]),
      );
      const data = { id, ended: true as const };
      return answerChange(request, reply, { data, notice: 'session-ended', to: SESSIONS_PANEL });
    },
  );

  app.post(
    `${SESSIONS}/end-others`,
    {
      config: { isForSuspended: true, isAlwaysMade: true },
      schema: { response: { 200: dataOf(signedIn) } },
    },
    async (request, reply) => {
      const { email: subject } = request.session;
      const session = await changes.make(request, { action: 'sessions_ended', subject }, () =>
        endOtherSessions(deps, request.session, clientOf(request)),
      );
      cookie.set(reply, session.token);
      const data = { csrf_token: csrfTokenOf(session.csrfSecret) };
      return answerChange(request, reply, { data, notice: 'sessions-ended', to: SESSIONS_PANEL });
    },
  );
}
