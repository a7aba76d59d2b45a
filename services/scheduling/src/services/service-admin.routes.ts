import { pathTo, type Quotas, schedulingRoutes, type UpdateService } from '@frontdesk/contracts';
import type { Database, TenantTransaction } from '@frontdesk/database';
import {
  type App,
  changesOf,
  matching,
  notFound,
  ok,
  type RequireVersion,
  requireStorage,
  route,
  versioned,
} from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { idempotent } from '@frontdesk/wiring';
import type { FastifyReply } from 'fastify';
import { changePerformers, createService, priceMinor } from './create-service.ts';
import { created, locked, requireActivation, withFreeName } from './named-records.ts';
import {
  countServices,
  findServiceForAdmin,
  listServicesForAdmin,
  lockServices,
  updateService,
} from './service.repository.ts';
import { type ServiceAdminRow, type ServiceFields, serviceAdminRecord } from './service.rules.ts';

/** What a business offers, for those who run it. */
export function serviceAdminRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  const { database, tenants } = deps;

  const show = (reply: FastifyReply, row: ServiceAdminRow) =>
    versioned(reply, row.version, serviceAdminRecord(row));

  route(app, schedulingRoutes.listServices, async ({ tenantId }) =>
    ok((await listServicesForAdmin(database.forTenant(tenantId))).map(serviceAdminRecord)),
  );

  route(app, schedulingRoutes.createService, async (request, reply) => {
    const tenant = await tenants.find(request.tenantId);
    const scope = database.forTenant(request.tenantId);
    return idempotent({ request, reply, scope }, (transaction) =>
      transaction(async (tx) => {
        requireStorage(tenant);
        const row = await createService(tx, request.body, tenant);
        const at = pathTo(schedulingRoutes.getService, { tenant_id: request.tenantId, id: row.id });
        return created(at, row.version, serviceAdminRecord(row));
      }),
    );
  });

  route(app, schedulingRoutes.getService, async ({ tenantId, params }, reply) => {
    const row = await findServiceForAdmin(database.forTenant(tenantId), params.id);
    if (row === null) throw notFound('Service');
    return show(reply, row);
  });

  route(app, schedulingRoutes.updateService, async (request, reply) => {
    const { params, body, tenantId } = request;
    const { currency, quotas } = await tenants.find(tenantId);
    const context = { currency, quotas, requireVersion: matching(request) };
    const scope = database.forTenant(tenantId);
    return show(reply, await scope.transaction((tx) => changeService(tx, params.id, body, context)));
  });

  route(app, schedulingRoutes.deleteService, async (request, reply) => {
    const { params, tenantId } = request;
    const scope = database.forTenant(tenantId);
    return show(reply, await scope.transaction((tx) => deleteService(tx, params.id, matching(request))));
  });
}

const lockService = locked('Service', lockServices, findServiceForAdmin);

/**
 * Applies a patch. Deactivating takes nothing away from who is booked already: `coming_appointments` are those that stay.
 * @throws AppError `not_found`, `precondition_failed`, `validation_failed`; `quota_exceeded` where it activates one too many
 */
async function changeService(
  tx: TenantTransaction,
  id: number,
  { price, performers, ...patch }: UpdateService,
  context: { currency: string; quotas: Quotas; requireVersion: RequireVersion },
): Promise<ServiceAdminRow> {
  const { currency, quotas, requireVersion } = context;
  const before = await lockService(tx, id, requireVersion);
  if (performers) await changePerformers(tx, id, performers);
  const priced = price !== undefined && { price_minor: priceMinor(price, currency), currency };
  const changes = changesOf<ServiceFields>(before, { ...patch, ...priced });
  if (!changes) return before;
  if (changes.is_active) requireActivation('services', await countServices(tx), quotas);
  return { ...before, ...(await withFreeName(updateService(tx, id, changes))) };
}

/** The record as it was last, out of every list; its appointments stay. @throws AppError `not_found`, `precondition_failed` */
async function deleteService(
  tx: TenantTransaction,
  id: number,
  requireVersion: RequireVersion,
): Promise<ServiceAdminRow> {
  const before = await lockService(tx, id, requireVersion);
  return { ...before, ...(await updateService(tx, id, { deleted_at: new Date(), is_active: false })) };
}
