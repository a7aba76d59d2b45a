import type { AppointmentAdmin } from '@frontdesk/contracts';

export type Arrival = Pick<AppointmentAdmin, 'status' | 'arrived_at'>;

/** When the customer arrived whose appointment has not ended yet; null where nobody has. */
export const arrivedAt = ({ status, arrived_at }: Arrival): string | null =>
  (status === 'scheduled' && arrived_at) || null;
