import { FORM_LIVES_HOURS } from '@frontdesk/contracts';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { drawnAtMs, FORM_LIVES_MS } from '../forms/form-token.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import type { Notice } from '../ui/notices.rules.ts';
import { goTo } from './changes.ts';
import type { FormTokens, SentForm } from './form-tokens.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A form of it is accepted once; sent again, by a reload, it leads to this page with this notice. */
    sentOnce?: { notice: Notice; to: string };
  }
  interface FastifyRequest {
    /** On which day its one-time form was taken, if it was. */
    formTakenOn?: number;
  }
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * The answer to a booking is kept for as long as a form lives: one that is sent again at the very end
 * might find it gone.
 */
const BOOKING_MARGIN_MS = 5 * MINUTE_MS;

const expired = () =>
  new AppError(
    'form_expired',
    `This form has expired: its page was open for more than ${FORM_LIVES_HOURS} hours, so it is not saved this time. ` +
      'If you sent it before, look first whether that was done. Otherwise check what you entered and send it again.',
  );

const tooMany = (freeInMs: number) => {
  const hours = Math.ceil(freeInMs / HOUR_MS);
  const minutes = Math.max(1, Math.ceil(freeInMs / MINUTE_MS));
  const wait = minutes > 60 ? `${hours} hours` : minutes > 1 ? `${minutes} minutes` : 'a minute';
  return new AppError(
    'rate_limited',
    `Too many forms were sent in ${FORM_LIVES_HOURS} hours. Please try again in ${wait}.`,
    { headers: { 'retry-after': String(Math.max(1, Math.ceil(freeInMs / 1_000))) } },
  );
};

/**
 * Its path as the route knows it: a form that is sent with another query, or another spelling of an id, is the same.
 */
const formOf = ({ session, sent, params, routeOptions }: FastifyRequest) => {
  const formToken = sent?.form_token;
  const action = pathOf(routeOptions.url ?? '', params);
  return typeof formToken === 'string' ? { session, action, formToken } : null;
};

const pathOf = (route: string, params: unknown) =>
  route.replace(':id', String((params as { id?: number } | undefined)?.id ?? 0));

const drawnAtOf = ({ session, formToken }: Pick<SentForm, 'session' | 'formToken'>) =>
  drawnAtMs(session.csrfSecret, formToken);

const isOver = (drawnMs: number) => drawnMs + FORM_LIVES_MS - BOOKING_MARGIN_MS <= Date.now();

/** When the page of a form was drawn, by its token; null where it has none, or one that doesn't say. */
export function formDrawnAt(request: FastifyRequest): number | null {
  const form = formOf(request);
  return form && drawnAtOf(form);
}

/** Whether the token of a booking's form has a time that is over. */
export function isExpiredForm(request: FastifyRequest): boolean {
  const drawn = formDrawnAt(request);
  return drawn !== null && isOver(drawn);
}

/**
 * For bookings, which are sent once by the key that their token is made into. @throws AppError `form_expired`, also for
 * a page that 0.1.0 has drawn, once these are not taken any more
 */
export async function refuseExpiredForm(request: FastifyRequest, forms: FormTokens): Promise<void> {
  if (isExpiredForm(request)) throw expired();
  const form = formOf(request);
  // A program's own words mean nothing here.
  if (!form || wantsJson(request) || drawnAtOf(form) !== null) return;
  if (isOver(await forms.untimedSinceMs())) throw expired();
}

/** Register it after `requireSession`. The forms carry an `onceField`; programs send none. */
export function takeFormsOnce(app: App, forms: FormTokens): void {
  app.addHook('preHandler', async (request, reply) => {
    const { sentOnce } = request.routeOptions.config;
    const form = sentOnce && formOf(request);
    if (!sentOnce || !form) return;
    // Programs may use words of their own as tokens, which mean nothing here, and may send one again.
    const isProgram = wantsJson(request);
    if (isProgram && drawnAtOf(form) === null) return;
    const used = await forms.take(form);
    if (used.outcome === 'expired') throw expired();
    if (used.outcome === 'full') throw tooMany(used.freeInMs);
    if (used.outcome === 'taken') request.formTakenOn = used.day;
    else if (!isProgram) return goAgain(request, reply, sentOnce);
  });
  // What was refused may be sent again as it is. After a failure nobody knows whether it was done: that stays used.
  app.addHook('onSend', async (request, reply) => {
    const form = formOf(request);
    const day = request.formTakenOn;
    if (!form || day === undefined || reply.statusCode < 400 || reply.statusCode >= 500) return;
    // The page that says what is wrong has another token.
    await forms
      .release(form, day)
      .catch((error) => request.log.warn({ err: error }, 'a refused form stays used'));
  });
}

function goAgain(
  request: FastifyRequest,
  reply: FastifyReply,
  { to, notice }: { to: string; notice: Notice },
) {
  return goTo(reply, pathOf(to, request.params), notice);
}
