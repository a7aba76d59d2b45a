import type { TenantView } from '@frontdesk/contracts';

/**
 * Whose clocks a business's times are on, and whose way of writing dates, times, numbers and amounts its pages follow.
 */
export interface Region {
  /** IANA. */
  zone: string;
  /** ISO 3166-1 alpha-2; null where it is not known. */
  country: string | null;
}

/** A business's region; where the business is unknown, times are in UTC, and pages say so. */
export const regionOf = (
  { tenant }: { tenant: Pick<TenantView, 'timezone' | 'country'> | null },
  zone: string = tenant?.timezone ?? 'UTC',
): Region => ({ zone, country: tenant?.country ?? null });

/** Nobody's in particular. */
export const NO_REGION: Region = regionOf({ tenant: null });
