import { randomUUID } from 'node:crypto';
import type { AccountRow } from '../accounts/account.rules.ts';

/** A browser that an account has signed in with, by the password of now. It holds this itself, sealed. */
export interface Device {
  accountId: number;
  /** With another password it is a stranger's: who only knew the one before guesses like anybody else. */
  credentialsVersion: number;
  id: string;
}

export const newDevice = (account: Pick<AccountRow, 'id' | 'credentials_version'>): Device => ({
  accountId: account.id,
  credentialsVersion: account.credentials_version,
  id: randomUUID(),
});
