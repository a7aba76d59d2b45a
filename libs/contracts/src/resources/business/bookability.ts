import { z } from 'zod';

/** Why a service can't be booked. */
const SERVICE_OBSTACLES = [
  'inactive',
  /** Nobody of the staff performs it. */
  'nobody_performs',
  /** Everyone who performs it is inactive. */
  'performers_inactive',
  /** Nobody who performs it has hours. */
  'no_hours',
  /** The business has no hours, and those who perform it follow them, or there is no staff. */
  'no_opening_hours',
  /** Nobody who performs it works that long without a break. */
  'too_long',
  /** The shortest notice reaches beyond the days that can be booked ahead. */
  'notice_beyond_horizon',
] as const;

/** Why a staff member can't be booked. */
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

/** Internal: which services and staff can't be booked by the setup, and why; null where they can. Free times don't count. */
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
