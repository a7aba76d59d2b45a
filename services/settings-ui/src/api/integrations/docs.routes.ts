import type { App } from '@frontdesk/service';
import type { GatewayClient } from '../../clients/gateway.client.ts';
import type { SchedulingClient } from '../../clients/scheduling.client.ts';
import { zoneOf } from '../../domain/dates.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { createDocsPage } from '../../views/integrations/docs/docs.view.ts';
import type { Pages } from '../shared/pages.ts';

export interface DocsRoutesDeps {
  gateway: GatewayClient;
  scheduling: Pick<SchedulingClient, 'services' | 'staff'>;
  pages: Pages;
  publicUrl: string;
}

const isActive = ({ is_active }: { is_active: boolean }) => is_active;

/** The documentation of API v1 and of the events, with what is the tenant's own in its examples. */
export function docsRoutes(app: App, { gateway, scheduling, pages, publicUrl }: DocsRoutesDeps): void {
  const page = createDocsPage(publicUrl);

  app.get('/settings/api/docs', async (request, reply) => {
    const { tenantId } = request;
    const [tenant, keys, services, staff] = await Promise.all([
      orNull(gateway.tenant(tenantId)),
      orNull(gateway.keys(tenantId)),
      orNull(scheduling.services.list(tenantId)),
      orNull(scheduling.staff.list(tenantId)),
    ]);
    const bookable = services?.filter(isActive).map(({ id }) => id) ?? [];
    const performer = staff?.find(
      (member) => isActive(member) && member.service_ids.some((id) => bookable.includes(id)),
    );
    const serviceId = performer?.service_ids.find((id) => bookable.includes(id)) ?? bookable[0];
    const tomorrow = Temporal.Now.plainDateISO(zoneOf({ tenant })).add({ days: 1 });
    const values = {
      service_id: String(serviceId ?? 'SERVICE_ID'),
      staff_id: String(performer?.id ?? 'STAFF_ID'),
      date: tomorrow.toString(),
    };
    const keyName = keys?.find(isActive)?.name ?? null;
    const hasOwnRecords = serviceId !== undefined && performer !== undefined;
    return pages.send(reply, page(pages.context(request), { values, keyName, hasOwnRecords }));
  });
}
