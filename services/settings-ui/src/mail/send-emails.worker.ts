import { isMailAddress } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { AppError, type Logger, type Loop, loop, type SecretBox } from '@frontdesk/service';
import { findMemberByAccount } from '../accounts/membership.repository.ts';
import type { ComposeEmail } from './compose-email.ts';
import {
  type ClaimedEmail,
  claimEmails,
  deferEmail,
  discardEmail,
  failEmail,
  markEmailSent,
  releaseEmail,
  saveComposedEmail,
} from './email.repository.ts';
import { type ComposedEmail, GIVE_UP_DAYS, messageIdOf, retryDelayMs } from './email.rules.ts';
import { type Mailer, SEND_WITHIN_MS, SENT_AT_ONCE } from './mailer.ts';
import { shortLine } from './plain-text.rules.ts';
import { openEmail, sealEmail } from './seal-email.rules.ts';
import { isFinal, type SendFault } from './smtp.rules.ts';

const INTERVAL_MS = 1_000;
/** Longer than an email takes, so that no two processes send one. */
const LEASE_MS = 2 * SEND_WITHIN_MS;
/** So long what is on its way goes on while the process stops. */
const STOP_WITHIN_MS = 5_000;
/** So long a link that is sent works at least: that of a new password, which works for an hour, is not waited for until it is over. */
const LEAST_LINK_MS = 30 * 60_000;
const LONGEST_REASON = 300;
const OVER = 'Its link had expired before it could be sent.';

interface SenderDeps {
  database: Database;
  /** Null where there is no server: emails are composed, and stay. */
  mailer: Mailer | null;
  compose: ComposeEmail;
  secrets: SecretBox;
  logger: Logger;
  /** How long an email is this process's; then another one may send it. */
  leaseMs?: number;
}

/**
 * Sends the emails that wait. Each is composed once and stored before it is sent, so that every attempt sends the same.
 * A process that dies in between leaves it to the next one, once the lease is over.
 */
export function createEmailSender(deps: SenderDeps): Loop {
  const { database, mailer, logger, leaseMs = LEASE_MS } = deps;
  const worker = loop({
    name: 'email sender',
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      const wanted = { leaseMs, limit: SENT_AT_ONCE, isSending: mailer !== null };
      const claimed = await claimEmails(database.system, wanted);
      const ends = await Promise.allSettled(claimed.map((email) => work(deps, email, leaseMs)));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      return claimed.length === SENT_AT_ONCE;
    },
  });
  return {
    ...worker,
    async stop() {
      const cut = setTimeout(() => mailer?.close(), STOP_WITHIN_MS);
      await worker.stop();
      clearTimeout(cut);
      mailer?.close();
    },
  };
}

/** Whatever comes of it is written down; only a lost database is thrown, and then the lease ends by itself. */
async function work(deps: SenderDeps, email: ClaimedEmail, leaseMs: number): Promise<unknown> {
  const { mailer } = deps;
  const { system } = deps.database;
  // Without a failure there was no server to send it by: operators had it to hand over, and nothing went wrong.
  if (email.is_over && !email.has_failed) return discardEmail(system, email);
  if (email.is_over) return failEmail(system, email, `Not sent within ${GIVE_UP_DAYS} days.`);
  const recipient = await recipientOf(deps.database, email);
  if (recipient === null) return discardEmail(system, email);
  let composed: ComposedEmail | null;
  try {
    composed = stored(deps, email) ?? (await deps.compose({ ...email, recipient }));
  } catch (error) {
    if (isLogged(email)) deps.logger.error({ err: error, ...logged(email, error) }, 'email not composed');
    return putOff(deps, email, error);
  }
  if (composed === null && email.has_failed && email.sealed !== null) return failEmail(system, email, OVER);
  if (composed === null) return discardEmail(system, email);
  const { id, attempts, count } = email;
  const sealed = sealEmail(deps.secrets, id, composed);
  const { subject, text, html, expiresAt } = composed;
  const isMine = await saveComposedEmail(system, {
    id,
    attempts,
    count,
    subject,
    sealed,
    expiresAt,
    leaseMs,
  });
  if (!isMine || mailer === null) return releaseEmail(system, email);
  const to = composed.to ?? recipient;
  if (!isMailAddress(to)) return failEmail(system, email, 'This is no address that emails go to.');
  if (isShort(composed, 0)) return failEmail(system, email, OVER);
  try {
    const messageId = messageIdOf(email, mailer.from);
    await mailer.send({ messageId, to, subject, text, html });
  } catch (error) {
    const isRefused = isFinal(error as SendFault);
    if (isRefused || isLogged(email))
      deps.logger.warn(logged(email, error), isRefused ? 'email refused' : 'email not sent');
    return isRefused ? failEmail(system, email, reasonOf(error)) : putOff(deps, email, error);
  }
  return markEmailSent(system, email);
}

/** Whom it goes to by now; null for who was a member of the business, and is none any more. */
async function recipientOf(database: Database, email: ClaimedEmail): Promise<string | null> {
  const { tenant_id: tenantId, account_id: accountId, recipient } = email;
  if (tenantId === null || accountId === null) return recipient;
  const member = await findMemberByAccount(database.forTenantInBackground(tenantId), accountId);
  return member?.email ?? null;
}

/** Whether its link is over in so long. */
const isShort = ({ expiresAt }: ComposedEmail, leftMs: number) =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now() + leftMs;

/**
 * As it was composed before. One whose link is about to be over, or whose key is missing, is composed anew: nobody has
 * got it yet.
 */
function stored({ secrets, logger }: SenderDeps, { id, sealed }: ClaimedEmail): ComposedEmail | null {
  if (sealed === null) return null;
  try {
    const composed = openEmail(secrets, id, sealed);
    return isShort(composed, LEAST_LINK_MS) ? null : composed;
  } catch (error) {
    logger.warn({ err: error, email_id: id }, 'a stored email can’t be opened, and is composed anew');
    return null;
  }
}

/** It is tried again, later each time. */
const putOff = ({ database }: SenderDeps, email: ClaimedEmail, error: unknown) =>
  deferEmail(database.system, email, { delayMs: retryDelayMs(email.attempts), reason: reasonOf(error) });

/** At 1, 2, 4, 8 …: an outage of an hour is a handful of lines. */
const isLogged = ({ attempts }: ClaimedEmail) => Number.isInteger(Math.log2(attempts));

/** Nothing of what a server says: it repeats addresses. */
function logged({ id, kind, tenant_id, attempts }: ClaimedEmail, error: unknown) {
  const { code, command, responseCode } = error as SendFault;
  const name = error instanceof Error ? error.name : 'unknown';
  return { email_id: id, kind, tenant_id, attempts, fault: name, code, command, response_code: responseCode };
}

/** For operators, in the row. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return `A service that it needs did not answer (${error.code}).`;
  const text = error instanceof Error ? error.message : String(error);
  return shortLine(text, LONGEST_REASON);
}
