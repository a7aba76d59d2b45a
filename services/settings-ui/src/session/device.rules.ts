import { randomUUID } from 'node:crypto';

/** A browser that an account has signed in with, by the password of now. It holds this itself, sealed. */
export interface Device {
  accountId: number;
  /** A membership of the account: processes of 0.1.0 find it by this. */
  tenantId: number;
  adminId: number;
  /** With another password it is a stranger's: who only knew the one before guesses like anybody else. */
  credentialsVersion: number;
  id: string;
}

/** As a browser has it. Cookies of 0.1.0 don't say the account. */
export type StoredDevice = Omit<Device, 'accountId'> & Partial<Pick<Device, 'accountId'>>;

interface Owner {
  accountId: number;
  credentialsVersion: number;
  membership: { tenant_id: number; id: number };
}

export const newDevice = ({ accountId, credentialsVersion, membership }: Owner): Device => ({
  accountId,
  tenantId: membership.tenant_id,
  adminId: membership.id,
  credentialsVersion,
  id: randomUUID(),
});
