import { randomUUID } from 'node:crypto';
import type { MembershipRow } from '../accounts/account.rules.ts';

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
  /** All of the account. */
  memberships: readonly Pick<MembershipRow, 'tenant_id' | 'id'>[];
}

const NO_MEMBERSHIP = { tenant_id: 0, id: 0 };

export function newDevice({ accountId, credentialsVersion, memberships }: Owner): Device {
  // 0.1.0 knows only the first membership of an account.
  const [first = NO_MEMBERSHIP] = memberships.toSorted((a, b) => a.id - b.id);
  return {
    accountId,
    tenantId: first.tenant_id,
    adminId: first.id,
    credentialsVersion,
    id: randomUUID(),
  };
}
