import { z } from 'zod';

/** Why a service can't be booked. */
const SERVICE_OBSTACLES = [
  'inactive',
  /** Nobody of the staff performs it. */
  'nobody_performs',
  /** Whoever performs it is inactive. */
  'performers_inactive',
  /** Whoever performs it has no hours. */
  'no_hours',
  /** Those who perform it follow the business's hours, or there is no staff; and the business has no hours. */
  'no_opening_hours',
  /** Nobody who performs it works that long without a break. */
  'too_long',
  /** The shortest notice reaches beyond the days that can be booked ahead. */
  'notice_beyond_horizon',
] as const;

/** Why a member of staff can't be booked. */
const STAFF_OBSTACLES = [
  'inactive',
  /** They perform no active service. */
  'no_services',
  'no_hours',
  'no_opening_hours',
  /** Each service that they perform takes longer than they work without a break. */
  'hours_too_short',
  'notice_beyond_horizon',
] as const;

const entry = { id: z.int(), name: z.string() };

/** Internal: what of a business's setup stands in the way of bookings; null where nothing does. Who is free when is another question. */
export const bookabilitySchema = z.object({
  /** Of the whole business: `none_bookable` where every active service has an obstacle of its own. */
  obstacle: z.enum(['no_services', 'all_inactive', 'none_bookable']).nullable(),
  /** `staff_ids`: the active staff who perform it. */
  services: z.array(
    z.object({ ...entry, obstacle: z.enum(SERVICE_OBSTACLES).nullable(), staff_ids: z.array(z.int()) }),
  ),
  staff: z.array(z.object({ ...entry, obstacle: z.enum(STAFF_OBSTACLES).nullable() })),
});

export type Bookability = z.infer<typeof bookabilitySchema>;
export type ServiceBookability = Bookability['services'][number];
export type StaffBookability = Bookability['staff'][number];
