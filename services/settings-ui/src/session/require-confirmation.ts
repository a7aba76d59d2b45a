import { CONFIRMED_MINUTES, confirmBody } from '@frontdesk/contracts';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { wantsJson } from '../ui/accept.ts';
import { PASSWORD_FIELD } from '../ui/confirm-page.ts';
import { confirmedUntil, type SignInProof } from './session.rules.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It reaches what is dangerous in a stranger's hands, so the password must have been shown a short while ago. */
    needsConfirmation?: boolean;
  }
  interface FastifyRequest {
    /** The password has to be shown first: a page asks for it, and sends the rest along. */
    isUnconfirmed: boolean;
  }
}

/**
 * Asks for the password where a route needs it. A form goes on with the answer; programs confirm first. To be called after
 * `requireSession`, and before anything that a form uses up.
 */
export function requireConfirmation(
  app: App,
  confirm: (request: FastifyRequest, password: string) => Promise<SignInProof>,
): void {
  app.addHook('preValidation', async (request) => {
    if (!request.routeOptions.config.needsConfirmation) return;
    const password = takePassword(request);
    if (Date.now() < confirmedUntil(request.session.proof)) return;
    request.isUnconfirmed = true;
    if (password === undefined || wantsJson(request)) throw unconfirmed();
    request.session.proof = await confirm(request, password);
    request.isUnconfirmed = false;
  });
}

const unconfirmed = () =>
  new AppError(
    'confirmation_required',
    `Your password was last confirmed more than ${CONFIRMED_MINUTES} minutes ago. Confirm it, then send this again.`,
  );

/** The answer to the question, if it can be one. Nothing behind this sees it. */
function takePassword({ body }: FastifyRequest): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const fields = body as Record<string, unknown>;
  const { [PASSWORD_FIELD]: password } = fields;
  delete fields[PASSWORD_FIELD];
  return confirmBody.safeParse({ password }).data?.password;
}
