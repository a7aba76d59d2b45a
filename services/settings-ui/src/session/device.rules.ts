import { randomUUID } from 'node:crypto';

/** A browser that an admin has signed in with, by the password of now. It holds this itself, sealed. */
export interface Device {
  tenantId: number;
  adminId: number;
  /** With another password it is a stranger's: who only knew the one before guesses like anybody else. */
  credentialsVersion: number;
  id: string;
}

export const newDevice = (admin: { tenant_id: number; id: number; credentials_version: number }): Device => ({
  tenantId: admin.tenant_id,
  adminId: admin.id,
  credentialsVersion: admin.credentials_version,
  id: randomUUID(),
});
