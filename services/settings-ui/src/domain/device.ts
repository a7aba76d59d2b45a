import { randomUUID } from 'node:crypto';

/** A browser in which an admin has signed in before. The browser keeps this record itself, in a sealed cookie. */
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
