import type { Tenant } from '@frontdesk/contracts';
import { type App, createApp, createMetrics, httpComponent, notFound, ok } from '@frontdesk/service';
import { logger } from './logger.ts';
import { uniqueTenantId } from './tenants.ts';

/**
 * The other services as far as the one under test asks them, over HTTP: the gateway's tenants, sources of calls, and what
 * `addRoutes` adds.
 */
export async function startNeighbours(addRoutes: (app: App) => void) {
  const tenants = new Map<number, Tenant>();
  const app = createApp({ logger, metrics: createMetrics() });
  app.get('/internal/tenants/:tenant_id', async ({ params }) => {
    const tenant = tenants.get(Number((params as { tenant_id: string }).tenant_id));
    if (!tenant) throw notFound('Tenant');
    return ok({ ...tenant, version: 1 });
  });
  app.post('/internal/call-sources/find', async ({ body }) => ok((body as { tokens: string[] }).tokens));
  addRoutes(app);
  const part = httpComponent({ name: 'neighbours', app, host: '127.0.0.1', port: 0 });
  await part.start?.();

  return {
    url: part.url(),
    /** A tenant that the gateway knows. */
    newTenant(fields: Partial<Tenant> = {}): number {
      const id = fields.id ?? uniqueTenantId();
      const at = '2026-01-01T00:00:00Z';
      tenants.set(id, {
        id,
        name: `Tenant ${id}`,
        plan: 'pro',
        status: 'active',
        created_at: at,
        updated_at: at,
        timezone: 'Europe/Berlin',
        country: 'DE',
        currency: 'EUR',
        ...fields,
      });
      return id;
    },
    forgetTenant: (id: number) => tenants.delete(id),
    stop: () => app.close(),
  };
}
