import { RESET_MINUTES } from '@frontdesk/contracts';
import type { Database, SystemScope } from '@frontdesk/database';
import { AppError } from '@frontdesk/service';
import { findAccount, findCredentials } from '../accounts/account.repository.ts';
import { findAccountLink, insertAccountLink, useAddressLink } from '../accounts/account-link.repository.ts';
import { listMemberships } from '../accounts/membership.repository.ts';
import { hashToken, newToken } from '../accounts/tokens.rules.ts';
import { auditedForAccount } from '../audit/audited.ts';
import type { Composers } from '../mail/compose-email.ts';
import { queueAccountEmail } from '../mail/email.repository.ts';
import { addressLinkEmail, addressTakenEmail, resetEmail } from '../mail/link-emails.view.ts';
import type { MailLimits } from '../mail/mail-limits.ts';
import { isOfNow, type Session } from '../session/session.rules.ts';
import { voidLink } from './links.ts';
import { newResetLink } from './reset-password.ts';

/** Of which account a link changes the address, and to what. @throws AppError 422 on `token` where the link is not good (any more) */
export async function requireAddressLink(system: SystemScope, token: string) {
  const link = await findAccountLink(system, hashToken(token), 'address');
  if (!link || link.new_email === null) throw voidLink();
  return { id: link.id, from: link.email, to: link.new_email };
}

/**
 * Gives an account the address that has been proven by a link, if its owner is signed in: nobody takes over an account, or gives theirs to
 * somebody else, by a link alone. Both addresses are told so; sessions go on.
 * @throws AppError 422 on `token` where the link is not good (any more), or another account has the address; `unauthorized` where the account
 *   has to sign in first
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

/** Emails of accounts that have a link. Whose address it is, is found out here and said to that address alone. */
export function accountComposers({
  database,
  settingsUrl,
}: {
  database: Database;
  settingsUrl: string;
}): Pick<Composers, 'reset' | 'address_link'> {
  const { system } = database;
  /** The business whose name and clocks an email has: the account's only one. */
  const onlyBusiness = async (accountId: number): Promise<number | null> => {
    const [only, ...others] = await listMemberships(system, accountId);
    return only && others.length === 0 ? only.tenant_id : null;
  };

  return {
    async reset({ recipient }, findBusiness) {
      const account = await findCredentials(system, recipient);
      if (!account) return null;
      const business = await findBusiness(await onlyBusiness(account.id));
      const { url, expires_at } = await newResetLink(system, { accountId: account.id, settingsUrl });
      const email = resetEmail({
        url,
        expiresAt: expires_at,
        business: business.name,
        region: business.region,
      });
      return { ...email, to: account.email };
    },
    async address_link({ recipient, details }, findBusiness) {
      const asked = details.at(-1);
      if (asked === undefined) return null;
      const proof = {
        credentialsVersion: asked.credentials_version,
        sessionsVersion: asked.sessions_version,
      };
      const account = await findAccount(system, asked.account_id);
      if (!account || !isOfNow(proof, account)) return null;
      const business = await findBusiness(await onlyBusiness(account.id));
      const words = { current: account.email, recipient, business: business.name };
      const other = await findCredentials(system, recipient);
      if (other && other.id !== account.id) return { ...addressTakenEmail(words), to: other.email };
      const token = newToken();
      const { expires_at } = await insertAccountLink(system, {
        tokenHash: hashToken(token),
        accountId: account.id,
        purpose: 'address',
        email: recipient,
        ...proof,
        minutes: RESET_MINUTES,
      });
      const url = `${settingsUrl}/settings/address?token=${token}`;
      const expiresAt = expires_at.toISOString();
      return addressLinkEmail({ ...words, url, expiresAt, region: business.region });
    },
  };
}
