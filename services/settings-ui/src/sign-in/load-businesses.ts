import type { OwnBusiness } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { listMemberships } from '../accounts/membership.repository.ts';
import type { GatewayClient } from '../clients/gateway.client.ts';
import { orAbsent } from '../clients/or-null.ts';

const BUSINESSES_PER_PAGE = 100;
/** How many businesses the gateway is asked for at a time. */
const ASKED_AT_ONCE = 8;
/** After this the gateway is asked for no more. */
const ASKED_WITHIN_MS = 1_500;

type Gateway = Pick<GatewayClient, 'tenant'>;

/** A page of an account's businesses, the latest signed in to first. `goesOn`: whether another page follows. */
export async function loadBusinesses(
  { database, gateway }: { database: Database; gateway: Gateway },
  accountId: number,
  page = 1,
): Promise<{ businesses: OwnBusiness[]; goesOn: boolean }> {
  const memberships = await listMemberships(database.systemForRequests, accountId);
  const end = page * BUSINESSES_PER_PAGE;
  const ids = memberships.slice(end - BUSINESSES_PER_PAGE, end).map(({ tenant_id }) => tenant_id);
  return { businesses: await namedBusinesses(gateway, ids), goesOn: memberships.length > end };
}

/** Names that the gateway doesn't say in time are null. */
export async function namedBusinesses(gateway: Gateway, ids: readonly number[]): Promise<OwnBusiness[]> {
  const endsMs = performance.now() + ASKED_WITHIN_MS;
  const tenantOf = async (id: number) =>
    performance.now() < endsMs ? orAbsent(gateway.tenant({ tenantId: id })) : null;
  const named: OwnBusiness[] = [];
  for (let from = 0; from < ids.length; from += ASKED_AT_ONCE) {
    const asked = ids.slice(from, from + ASKED_AT_ONCE).map(async (id) => {
      const tenant = await tenantOf(id);
      return { id, name: tenant?.name ?? null, is_suspended: tenant?.status === 'suspended' };
    });
    named.push(...(await Promise.all(asked)));
  }
  return named;
}
