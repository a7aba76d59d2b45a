import {
  crmRoutes,
  MAX_SIMILAR,
  mayBeMistyped,
  type SimilarCustomers,
  SNAPSHOT_PAGE,
  typedWords,
  typingErrors,
} from '@frontdesk/contracts';
import type { Database, QuotaGate, TenantScope } from '@frontdesk/database';
import { type App, ok, route, timeSlices } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { customerByPhone } from './create-customer.ts';
import { findNamedCustomers, listCustomersAfter } from './customer.repository.ts';
import { type CustomerRow, customerListRecord, mergedCustomerRecord } from './customer.rules.ts';
import { countCustomersOfAll, listStages, readCustomerCounts } from './customer-count.repository.ts';
import { listMergedCustomersAfter } from './merged-customer.repository.ts';
import { findSimilarCustomers } from './similar-customers.repository.ts';

/** What other services and admins ask the crm; the tenant comes from the path, see `requireIdentity`. */
export function namedCustomersRoute(app: App, { database }: { database: Database }): void {
  route(app, crmRoutes.listNamedCustomers, async ({ body, tenantId }) =>
    ok(await findNamedCustomers(database.forTenant(tenantId), body.ids)),
  );
}

/** What the pages of a business ask besides. */
export function internalRoutes(app: App, { database }: { database: Database }): void {
  // People see at a glance whether a similar name is meant. A program that takes the first hit does not, so API v1 has no such search.
  route(app, crmRoutes.listSimilarCustomers, async ({ query, tenantId }) =>
    ok((await findSimilar(database.forTenant(tenantId), query)).map(customerListRecord)),
  );
  route(app, crmRoutes.countCustomers, async ({ tenantId }) =>
    ok(await readCustomerCounts(database.forTenant(tenantId))),
  );
  route(app, crmRoutes.listPipelineStages, async ({ tenantId }) =>
    ok(await listStages(database.forTenant(tenantId))),
  );
}

/** How many customers tenants have, for the gateway, which settles their quotas. */
export function customerTotalsRoute(app: App, { database }: { database: Database }): void {
  route(app, crmRoutes.countCustomersOfTenants, async ({ body }) =>
    ok(await countCustomersOfAll(database.system, body.tenant_ids)),
  );
}

/** Whose number it is, for the service that takes calls in; the tenant comes from the path, see `requireIdentity`. */
export function customerByPhoneRoutes(
  app: App,
  deps: { database: Database; tenants: TenantDirectory; gate: QuotaGate },
): void {
  const { database, tenants, gate } = deps;
  route(app, crmRoutes.findCustomerByPhone, async ({ body, tenantId }, reply) => {
    const tenant = await tenants.find(tenantId);
    const { id, isNew } = await customerByPhone(database.forTenant(tenantId), body, tenant, gate);
    reply.code(isNew ? 201 : 200);
    return ok({ customer_id: id });
  });
}

/** The state of every customer with its version, merged ones too, page by page: what an empty projection fills itself from. */
export function snapshotRoutes(app: App, deps: { database: Database }): void {
  route(app, crmRoutes.listSnapshot, async (request) => {
    const { after_tenant, after_id } = request.query;
    const after = { tenantId: after_tenant, id: after_id };
    const { system } = deps.database;
    const customers = await listCustomersAfter(system, after, SNAPSHOT_PAGE);
    // Read last: nobody who is merged meanwhile is missed.
    const merged = await listMergedCustomersAfter(system, after, SNAPSHOT_PAGE);
    const entries = [
      ...customers.map((row) => entryOf(row, row.sequence, customerListRecord(row))),
      ...merged.map((row) => entryOf(row, row.version, mergedCustomerRecord(row))),
    ];
    return ok(entries.toSorted(byTenantAndId).slice(0, SNAPSHOT_PAGE));
  });
}

const entryOf = <Data>(row: { tenant_id: number; id: number }, version: number, data: Data) => ({
  tenant_id: row.tenant_id,
  aggregate_id: row.id,
  aggregate_version: version,
  data,
});

type Place = Pick<ReturnType<typeof entryOf>, 'tenant_id' | 'aggregate_id'>;

const byTenantAndId = (one: Place, other: Place) =>
  one.tenant_id - other.tenant_id || one.aggregate_id - other.aggregate_id;

/**
 * Customers whose names are what was typed but for a few errors, those with the fewest first. Trigrams say who may be meant, and their
 * letters who is: an index finds the former, and many of them share no more than a beginning.
 */
async function findSimilar(scope: TenantScope, query: SimilarCustomers): Promise<CustomerRow[]> {
  const typed = typedWords(query.search);
  if (typed.length === 0) return [];
  const longest = typed.filter(mayBeMistyped).toSorted((one, other) => other.length - one.length);
  const rows = await findSimilarCustomers(scope, longest.slice(0, 2), query);
  const similar: { row: CustomerRow; errors: number }[] = [];
  const pause = timeSlices();
  for (const row of rows) {
    const errors = typingErrors(typed, row.name);
    if (errors !== null) similar.push({ row, errors });
    await pause();
  }
  return similar
    .toSorted((one, other) => one.errors - other.errors)
    .slice(0, MAX_SIMILAR)
    .map(({ row }) => row);
}
