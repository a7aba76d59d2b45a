import {
  type CreateTenant,
  gatewayRoutes,
  PLAN_QUOTAS,
  type Plan,
  QUOTA_NAMES,
  type Quotas,
  type Tenant,
  type UpdateTenant,
} from '@frontdesk/contracts';
import { type Database, insertOperatorChange, type TenantTransaction } from '@frontdesk/database';
import {
  type App,
  changesOf,
  invalid,
  matching,
  notFound,
  ok,
  page,
  type RequireVersion,
  route,
  versioned,
} from '@frontdesk/service';
import { type Announce, changeAndAnnounce } from './change-tenant.ts';
import { findStoredBytes } from './stored-bytes.repository.ts';
import {
  findTenant,
  insertTenant,
  listTenants,
  lockTenant,
  nextTenantId,
  updateTenant,
} from './tenant.repository.ts';
import { isStorageFull, type TenantRow, tenantRecord, tenantViewRecord } from './tenant.rules.ts';

interface Deps {
  database: Database;
  announce: Announce;
}

/** Tenants, for operators. */
export function tenantRoutes(app: App, deps: Deps): void {
  const { database } = deps;
  const change = changeAndAnnounce(deps);

  route(app, gatewayRoutes.createTenant, async ({ body, identity }) => {
    const scope = database.forTenant(await nextTenantId(database.systemForRequests));
    const created = await scope.transaction(async (tx) => {
      const tenant = await createTenant(tx, body);
      await insertOperatorChange(tx, {
        actor: identity.actor ?? null,
        action: 'business_created',
        subject: `${body.name}, plan: ${body.plan}`,
        outcome: 'done',
      });
      return tenant;
    });
    return ok(created);
  });

  route(app, gatewayRoutes.listTenants, async ({ query }) => {
    const { rows, ...meta } = await listTenants(database, query);
    return page(rows.map(tenantRecord), { ...query, ...meta });
  });

  route(app, gatewayRoutes.updateTenant, async (request) => {
    const { tenantId, body } = request;
    const row = await change(tenantId, (scope) =>
      scope.transaction((tx) => changeTenant(tx, body, matching(request))),
    );
    return ok(tenantRecord(row));
  });
}

/** One tenant, for operators, other services and its own admins. */
export function tenantViewRoutes(app: App, { database }: Pick<Deps, 'database'>): void {
  route(app, gatewayRoutes.getTenant, async (request, reply) => {
    const row = await findTenant(database.forTenant(request.tenantId));
    if (!row) throw notFound('Tenant');
    return versioned(reply, row.version, tenantViewRecord(row));
  });
}

/** What a business's own admins may change of it. */
export function tenantProfileRoutes(app: App, deps: Deps): void {
  const change = changeAndAnnounce(deps);
  route(app, gatewayRoutes.updateProfile, async (request, reply) => {
    const { tenantId, body } = request;
    const row = await change(tenantId, (scope) =>
      scope.transaction((tx) => changeTenant(tx, body, matching(request))),
    );
    return versioned(reply, row.version, tenantViewRecord(row));
  });
}

/**
 * Changes a tenant. A change to the values that it has already writes nothing and emits nothing.
 * @throws AppError `not_found`, `precondition_failed`; `validation_failed` for a quota below the plan's
 */
async function changeTenant(
  tx: TenantTransaction,
  { quotas, ...fields }: UpdateTenant,
  requireVersion: RequireVersion,
): Promise<TenantRow> {
  const before = await lockTenant(tx);
  if (!before) throw notFound('Tenant');
  requireVersion(before.version);
  const raised_quotas = raised(before.raised_quotas, fields.plan ?? before.plan, quotas);
  const planned = { ...before, plan: fields.plan ?? before.plan, raised_quotas };
  // A tenant whose quota was raised may add again at once.
  const storage_full = isStorageFull(planned, (await findStoredBytes(tx)) ?? 0);
  const changes = changesOf<TenantRow>(before, { ...fields, raised_quotas, storage_full });
  if (!changes) return before;

  const after = await updateTenant(tx, changes);
  tx.emit('tenant.updated', {
    aggregateId: tx.tenantId,
    version: after.version,
    data: tenantRecord(after),
  });
  return after;
}

/** The raised quotas after these changes. */
function raised(before: Partial<Quotas>, plan: Plan, changes: UpdateTenant['quotas'] = {}): Partial<Quotas> {
  const quotas = { ...before };
  for (const name of QUOTA_NAMES) {
    const wanted = changes[name];
    if (wanted === null) delete quotas[name];
    if (wanted === null || wanted === undefined) continue;
    const planned = PLAN_QUOTAS[plan][name];
    if (wanted < planned) throw invalid({ [name]: [`The plan ${plan} allows ${planned} already.`] });
    quotas[name] = wanted;
  }
  return quotas;
}

/** `tx` is in the scope of the new tenant's id. */
async function createTenant(tx: TenantTransaction, body: CreateTenant): Promise<Tenant> {
  const row = await insertTenant(tx, body);
  const data = tenantRecord(row);
  tx.emit('tenant.created', { aggregateId: tx.tenantId, version: row.version, data });
  return data;
}
