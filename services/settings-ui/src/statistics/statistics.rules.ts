import type {
  AppointmentStatistics,
  CallStatistics,
  DeliveryStatistics,
  EndpointAdmin,
  RequestStatistics,
  TenantView,
  Usage,
} from '@frontdesk/contracts';
import type { Region } from '../region/region.rules.ts';
import { formatsOf } from '../region/region-formats.rules.ts';

/** How a business has done lately. Null: its service couldn't say in time. */
export interface Statistics {
  tenant: TenantView | null;
  appointments: AppointmentStatistics | null;
  calls: CallStatistics | null;
  /** Undefined where the member may not see them; so for `endpoints`. */
  deliveries: DeliveryStatistics | null | undefined;
  requests: RequestStatistics | null;
  usage: Usage | null;
  endpoints: EndpointAdmin[] | null | undefined;
}

/** A part of a whole in per cent: 100 and 0 only where it is all or nothing. */
export function shareText(region: Pick<Region, 'country'>, part: number, whole: number): string {
  const { shares } = formatsOf(region);
  const percent = (100 * part) / whole;
  const rounded = percent > 99 || percent < 1 ? Math.round(percent * 10) / 10 : Math.round(percent);
  if (part < whole && rounded >= 100) return `over ${shares.format(0.999)}`;
  if (part > 0 && rounded <= 0) return `under ${shares.format(0.001)}`;
  return shares.format(rounded / 100);
}
