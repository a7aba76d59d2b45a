import { RESET_MINUTES } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { findAccount, findCredentials } from '../accounts/account.repository.ts';
import { insertAccountLink } from '../accounts/account-link.repository.ts';
import { listMemberships } from '../accounts/membership.repository.ts';
import { hashToken, newToken } from '../accounts/tokens.rules.ts';
import type { Composers } from '../mail/compose-email.ts';
import { addressLinkEmail, addressTakenEmail, resetEmail } from '../mail/link-emails.view.ts';
import { isStillValid } from '../session/session.rules.ts';
import { newResetLink } from './reset-password.ts';

/** Composes the emails with links of accounts. Only here is looked up whether an address has an account; the email alone says so. */
export function accountComposers({
  database,
  settingsUrl,
}: {
  database: Database;
  settingsUrl: string;
}): Pick<Composers, 'reset' | 'address_link'> {
  const { system } = database;
  /** An email has the name and clocks of the account's only business; null where it has several. */
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
      if (!account || !isStillValid(proof, account)) return null;
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
