import { randomUUID } from 'node:crypto';

/** A browser that an admin has signed in with before. It holds this itself, sealed. */
export interface Device {
  tenantId: number;
  adminId: number;
  id: string;
}

export const newDevice = ({ tenantId, adminId }: Omit<Device, 'id'>): Device => ({
  tenantId,
  adminId,
  id: randomUUID(),
});
