import { randomUUID } from 'node:crypto';

/** A browser in which an account has signed in with its current password. The browser holds this itself, sealed. */
export interface Device {
  accountId: number;
  /** A membership of the account: processes of 0.1.0 find it by this. */
  tenantId: number;
  adminId: number;
  /** With another password the device is unknown: who knew the earlier one has no attempts of their own. */
  credentialsVersion: number;
  id: string;
}

/** The device in a cookie. Cookies of 0.1.0 don't say the account. */
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
