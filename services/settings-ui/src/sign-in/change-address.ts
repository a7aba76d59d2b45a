import type { Database, SystemScope } from '@frontdesk/database';
import { AppError, invalid } from '@frontdesk/service';
import { foldEmail } from '../accounts/account.rules.ts';
import { findAccountLink, useAddressLink } from '../accounts/account-link.repository.ts';
import { hashToken } from '../accounts/tokens.rules.ts';
import { auditedForAccount } from '../audit/audited.ts';
import { queueAccountEmail } from '../mail/email.repository.ts';
import type { MailLimits } from '../mail/mail-limits.ts';
import type { Session } from '../session/session.rules.ts';
import { voidLink } from './links.ts';

/**
 * Sends a link to the new address of an account, and a notice to its current one, while the owner can still stop the change.
 * Whether another account has that address is found out when the email is composed.
 * @throws AppError 422 on `email` where it is the account's own
 */
export async function requestAddress(
  { database, mailLimits }: { database: Database; mailLimits: MailLimits },
  session: Session,
  email: string,
): Promise<void> {
  if (foldEmail(email) === foldEmail(session.email))
    throw invalid({ email: ['You sign in with this address already.'] });
  if (!(await mailLimits.takeAddressLink(email, session))) return;
  const { tenantId, proof } = session;
  const to = email.trim();
  await database.systemForRequests.transaction(async (tx) => {
    await queueAccountEmail(tx, {
      kind: 'address_link',
      recipients: [to],
      details: {
        account_id: proof.accountId,
        credentials_version: proof.credentialsVersion,
        sessions_version: proof.sessionsVersion,
      },
      tenantId,
    });
    await queueAccountEmail(tx, {
      kind: 'address_asked',
      recipients: [session.email],
      details: { to },
      tenantId,
    });
  });
}

/** The account of a link, with its current and its new address. @throws AppError 422 on `token` where the link is void */
export async function requireAddressLink(system: SystemScope, token: string) {
  const link = await findAccountLink(system, hashToken(token), 'address');
  if (!link || link.new_email === null) throw voidLink();
  return { id: link.id, from: link.email, to: link.new_email };
}

/**
 * Gives an account the address that its link proves, if its owner is signed in: a link alone neither takes an account over nor
 * gives it away. Both addresses get an email; sessions go on.
 * @throws AppError 422 on `token` where the link is void, or another account has the address; `unauthorized` where the account has
 *   to sign in first
 */
export async function changeAddress(
  { database, mailLimits }: { database: Database; mailLimits: MailLimits },
  { token, address, session }: { token: string; address: string; session: Session | null },
): Promise<{ email: string }> {
  const system = database.systemForRequests;
  const { id: accountId, from, to } = await requireAddressLink(system, token);
  if (session?.proof.accountId !== accountId)
    throw new AppError('unauthorized', `Please sign in as ${from} to change this address.`);
  const change = { action: 'address_changed', subject: `${from} to ${to}` } as const;
  const changed = await auditedForAccount(database, { name: from, address, accountId }, change, () =>
    system.transaction(async (tx) => {
      const changed = await useAddressLink(tx, hashToken(token), to);
      if (!changed) throw voidLink();
      await queueAccountEmail(tx, {
        kind: 'address_changed',
        recipients: [from, to],
        details: { from, to },
        tenantId: null,
      });
      return { email: to };
    }),
  );
  await mailLimits.forgetResets(from, to);
  return changed;
}
