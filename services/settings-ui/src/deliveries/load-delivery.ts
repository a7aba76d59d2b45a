import type { DeliveryDetail } from '@frontdesk/contracts';
import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';

interface LoadedDelivery {
  delivery: DeliveryDetail;
  /** Null where the endpoint is deleted or unknown. */
  url: string | null;
  region: Region;
}

/** One delivery with its attempts. @throws AppError 404; where webhooks is away too */
export async function loadDelivery(
  { gateway, webhooks }: Clients,
  by: By,
  id: number,
): Promise<LoadedDelivery> {
  const [delivery, endpoints, tenant] = await Promise.all([
    webhooks.delivery(by, id),
    orNull(webhooks.endpoints(by)),
    orNull(gateway.tenant(by)),
  ]);
  const url = endpoints?.find((endpoint) => endpoint.id === delivery.endpoint_id)?.url ?? null;
  return { delivery, url, region: regionOf({ tenant }) };
}
