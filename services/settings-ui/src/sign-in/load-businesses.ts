import type { OwnBusiness } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { listMemberships } from '../accounts/membership.repository.ts';
import type { GatewayClient } from '../clients/gateway.client.ts';
import { orNull } from '../clients/or-null.ts';

/** Nobody chooses from a longer list; the businesses of the latest sign-ins are in it. */
const MOST_SHOWN = 100;

/** The businesses of an account, the one that was signed in to last first. */
export async function loadBusinesses(
  { database, gateway }: { database: Database; gateway: Pick<GatewayClient, 'tenant'> },
  accountId: number,
): Promise<OwnBusiness[]> {
  const memberships = await listMemberships(database.systemForRequests, accountId);
  return Promise.all(
    memberships.slice(0, MOST_SHOWN).map(async ({ tenant_id: id }) => {
      const tenant = await orNull(gateway.tenant(id));
      return { id, name: tenant?.name ?? null, is_suspended: tenant?.status === 'suspended' };
    }),
  );
}
