import type {
  AppointmentStatistics,
  Bookability,
  CallStatistics,
  DeliveryStatistics,
  EndpointAdmin,
  RequestStatistics,
  TenantView,
  Usage,
} from '@frontdesk/contracts';
import type { QuotaUse } from '../quota-use.ts';
import type { Region } from '../shared/region.ts';
import { formatsOf } from '../shared/region-formats.ts';
import type { FirstStep } from './first-steps.ts';

/** What the overview is made of. Null: its service couldn't say in time. */
export interface Overview {
  tenant: TenantView | null;
  appointments: AppointmentStatistics | null;
  bookability: Bookability | null;
  calls: CallStatistics | null;
  deliveries: DeliveryStatistics | null;
  requests: RequestStatistics | null;
  usage: Usage | null;
  endpoints: EndpointAdmin[] | null;
  /** Missed callers of the last days whom nobody has called back. */
  to_call_back: number | null;
  /** Those of which little is left. */
  quotas: QuotaUse[] | null;
  /** Null also for a business that has taken them. */
  first_steps: FirstStep[] | null;
}

export const sumOf = <Item>(items: readonly Item[], read: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + read(item), 0);

/** A part of a whole in per cent: 100 and 0 only where it is all or nothing. */
export function shareText(region: Pick<Region, 'country'>, part: number, whole: number): string {
  const { shares } = formatsOf(region);
  const percent = (100 * part) / whole;
  const rounded = percent > 99 || percent < 1 ? Math.round(percent * 10) / 10 : Math.round(percent);
  if (part < whole && rounded >= 100) return `over ${shares.format(0.999)}`;
  if (part > 0 && rounded <= 0) return `under ${shares.format(0.001)}`;
  return shares.format(rounded / 100);
}
