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
  keepEmail,
  markEmailSent,
  releaseEmail,
  saveComposedEmail,
} from './email.repository.ts';
import { type ComposedEmail, GIVE_UP_DAYS, isForRole, messageIdOf, retryDelayMs } from './email.rules.ts';
import { type Mailer, SEND_WITHIN_MS, SENT_AT_ONCE } from './mailer.ts';
import { shortLine } from './plain-text.rules.ts';
import { openEmail, sealEmail } from './seal-email.rules.ts';
import { isFinal, type SendFault } from './smtp.rules.ts';

const INTERVAL_MS = 1_000;
/** Longer than an email takes, so that no two processes send it. */
const LEASE_MS = 2 * SEND_WITHIN_MS;
/** How long a stopping process waits for emails that are being sent. */
const STOP_WITHIN_MS = 5_000;
/** The least time that a link works once it is sent. An email that has waited longer gets a new link. */
const LEAST_LINK_MS = 30 * 60_000;
const LONGEST_REASON = 300;
const OVER = 'Its link had expired before it could be sent.';
/** Accounts of 0.1.0 may have one: what they do is no failure, and nobody else waits for their emails. */
const NO_ADDRESS = 'This is no address that emails go to.';

interface SenderDeps {
  database: Database;
  /** Null without a mail server: emails are composed and kept. */
  mailer: Mailer | null;
  compose: ComposeEmail;
  secrets: SecretBox;
  logger: Logger;
  /** How long this process has a claimed email; then another one may send it. */
  leaseMs?: number;
}

/**
 * Composes and sends due emails. Each is composed once and stored before it is sent, so that every attempt sends the same.
 * If a process dies in between, another one claims the email once the lease is over.
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

/** Composes and sends one email, and stores the outcome. It throws only without the database; then the lease ends by itself. */
async function work(deps: SenderDeps, email: ClaimedEmail, leaseMs: number): Promise<unknown> {
  const { mailer, secrets, logger } = deps;
  const { system } = deps.database;
  // It was kept while there was no mail server: nothing has failed.
  if (email.is_over && !email.has_failed) return discardEmail(system, email);
  if (email.is_over) return failEmail(system, email, `Not sent within ${GIVE_UP_DAYS} days.`);
  const recipient = await recipientOf(deps.database, email);
  if (recipient === null) return discardEmail(system, email);
  let composed: ComposedEmail | null;
  try {
    composed = stored(deps, email) ?? (await deps.compose({ ...email, recipient }));
  } catch (error) {
    if (isLogged(email)) logger.error({ err: error, ...logged(email, error) }, 'email not composed');
    return putOff(deps, email, error);
  }
  if (composed === null && email.has_failed && email.sealed !== null) return failEmail(system, email, OVER);
  if (composed === null) return discardEmail(system, email);
  const { id, attempts, count } = email;
  const { subject, expiresAt } = composed;
  const sealed = sealEmail(secrets, id, composed);
  const isMine = await saveComposedEmail(system, {
    id,
    attempts,
    count,
    subject,
    sealed,
    expiresAt,
    leaseMs,
  });
  if (!isMine) return releaseEmail(system, email);
  if (mailer === null) return keepEmail(system, email);
  return send({ ...deps, mailer }, email, { ...composed, to: composed.to ?? recipient });
}

async function send(
  deps: SenderDeps & { mailer: Mailer },
  email: ClaimedEmail,
  composed: ComposedEmail & { to: string },
): Promise<unknown> {
  const { mailer, logger } = deps;
  const { system } = deps.database;
  const { to, subject, text, html } = composed;
  if (!isMailAddress(to))
    return email.kind === 'invitation' ? failEmail(system, email, NO_ADDRESS) : discardEmail(system, email);
  if (expiresWithin(composed, 0)) return failEmail(system, email, OVER);
  try {
    await mailer.send({ messageId: messageIdOf(email, mailer.from), to, subject, text, html });
  } catch (error) {
    const isRefused = isFinal(error as SendFault);
    if (isRefused || isLogged(email))
      logger.warn(logged(email, error), isRefused ? 'email refused' : 'email not sent');
    return isRefused ? failEmail(system, email, reasonOf(error)) : putOff(deps, email, error);
  }
  return markEmailSent(system, email);
}

/** The address that it goes to; null where the account is no member of the business any more, or has another role. */
async function recipientOf(database: Database, email: ClaimedEmail): Promise<string | null> {
  const { tenant_id: tenantId, account_id: accountId, recipient, kind } = email;
  if (tenantId === null || accountId === null) return recipient;
  const member = await findMemberByAccount(database.forTenantInBackground(tenantId), accountId);
  return member && isForRole(kind, member.role) ? member.email : null;
}

/** Whether its link expires within `leftMs`. */
const expiresWithin = ({ expiresAt }: ComposedEmail, leftMs: number) =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now() + leftMs;

/**
 * The email as it was composed before. Null where it has to be composed anew, as its link is about to expire or its key is
 * missing: nobody has got it yet.
 */
function stored({ secrets, logger }: SenderDeps, { id, sealed }: ClaimedEmail): ComposedEmail | null {
  if (sealed === null) return null;
  try {
    const composed = openEmail(secrets, id, sealed);
    return expiresWithin(composed, LEAST_LINK_MS) ? null : composed;
  } catch (error) {
    logger.warn({ err: error, email_id: id }, 'a stored email can’t be opened, and is composed anew');
    return null;
  }
}

/** It is tried again, after a longer wait each time. */
const putOff = ({ database }: SenderDeps, email: ClaimedEmail, error: unknown) =>
  deferEmail(database.system, email, { delayMs: retryDelayMs(email.attempts), reason: reasonOf(error) });

/** Attempts 1, 2, 4, 8 …: an outage of an hour makes a handful of lines. */
const isLogged = ({ attempts }: ClaimedEmail) => Number.isInteger(Math.log2(attempts));

/** Without the server's own words: they repeat addresses. */
function logged({ id, kind, tenant_id, attempts }: ClaimedEmail, error: unknown) {
  const { code, command, responseCode } = error as SendFault;
  const name = error instanceof Error ? error.name : 'unknown';
  return { email_id: id, kind, tenant_id, attempts, fault: name, code, command, response_code: responseCode };
}

/** For operators, in `last_error`. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return `A service that it needs did not answer (${error.code}).`;
  const text = error instanceof Error ? error.message : String(error);
  return shortLine(text, LONGEST_REASON);
}
