import type { App } from '@frontdesk/service';
import type { ExampleRecordsClient } from '../clients/example-records.client.ts';
import type { KeysClient } from '../clients/keys.client.ts';
import { zoneOf } from '../domain/api-settings.ts';
import { orNull } from '../use-cases/load-api-settings.ts';
import { createDocsPage } from '../views/docs/docs.view.ts';
import type { Pages } from './pages.ts';

export interface DocsRoutesDeps {
  gateway: KeysClient;
  records: ExampleRecordsClient;
  pages: Pages;
  publicUrl: string;
}

/** The documentation of API v1 and of the events, with what is the tenant's own in its examples. */
export function docsRoutes(app: App, { gateway, records, pages, publicUrl }: DocsRoutesDeps): void {
  const page = createDocsPage(publicUrl);

  app.get('/settings/api/docs', async (request, reply) => {
    const { tenantId } = request;
    const [tenant, keys, serviceIds, staff] = await Promise.all([
      orNull(gateway.tenant(tenantId)),
      orNull(gateway.keys(tenantId)),
      orNull(records.serviceIds(tenantId)),
      orNull(records.staff(tenantId)),
    ]);
    const performer = staff?.find(({ service_ids }) => service_ids.some((id) => serviceIds?.includes(id)));
    const serviceId = performer?.service_ids.find((id) => serviceIds?.includes(id)) ?? serviceIds?.[0];
    const tomorrow = Temporal.Now.plainDateISO(zoneOf({ tenant })).add({ days: 1 });
    const values = {
      service_id: String(serviceId ?? 'SERVICE_ID'),
      staff_id: String(performer?.id ?? 'STAFF_ID'),
      date: tomorrow.toString(),
    };
    const keyName = keys?.find(({ is_active }) => is_active)?.name ?? null;
    const hasOwnRecords = serviceId !== undefined && performer !== undefined;
    return pages.send(reply, page(pages.context(request), { values, keyName, hasOwnRecords }));
  });
}
