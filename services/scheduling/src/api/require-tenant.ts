import type { App } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';

/** Lets in only what acts on a tenant that there is, else 404: an operator may name any id. */
export function requireTenant(app: App, tenants: TenantDirectory): void {
  app.addHook('preHandler', async ({ tenantId }) => {
    await tenants.find(tenantId);
  });
}
