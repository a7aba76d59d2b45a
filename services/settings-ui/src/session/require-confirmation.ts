import { CONFIRMED_MINUTES, confirmBody } from '@frontdesk/contracts';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { wantsJson } from '../ui/accept.ts';
import { PASSWORD_FIELD } from '../ui/confirm-page.ts';
import { confirmedUntil, type SignInProof } from './session.rules.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route gives access, or sends data or secrets elsewhere: the password must have been shown a short while ago. */
    needsConfirmation?: boolean;
  }
  interface FastifyRequest {
    /** The password has to be shown first. A page asks for it, and sends the form along. */
    isUnconfirmed: boolean;
  }
}

/**
 * Asks for the password where a route needs it. A form is sent again with the password; programs confirm first. Register it
 * after `requireSession`, and before the hooks that use up a form.
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

/** Takes the password out of the form, so that no later hook or handler sees it. */
function takePassword({ body }: FastifyRequest): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const fields = body as Record<string, unknown>;
  const { [PASSWORD_FIELD]: password } = fields;
  delete fields[PASSWORD_FIELD];
  return confirmBody.safeParse({ password }).data?.password;
}
