import type { Tenant } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { eventOf, eventually } from '../../../support/index.ts';
import type { RunningWebhooks } from '../webhooks-world.ts';

const countHeld = systemSql<{ held: number; others: number }, { tenantId: number }>(
  'test_count_held',
  `select count(*) filter (where is_suspended) as held, count(*) filter (where not is_suspended) as others
   from endpoints where tenant_id = $tenantId and deleted_at is null`,
);

const countLeased = systemSql<{ leased: number }, { tenantId: number }>(
  'test_count_leased',
  'select count(*) as leased from delivery_queue where tenant_id = $tenantId and lease_token is not null',
);

/** The tenant's status, as the gateway's events tell it. */
export function suspensionsOf(world: RunningWebhooks, tenantId: number) {
  let version = 0;
  const eventWith = (status: Tenant['status']) => {
    version += 1;
    const at = '2026-01-01T00:00:00Z';
    const tenant: Tenant = {
      id: tenantId,
      name: 'Salon',
      plan: 'pro',
      status,
      created_at: at,
      updated_at: at,
      timezone: 'Europe/Berlin',
      country: 'DE',
      currency: 'EUR',
    };
    return eventOf('tenant.updated', tenantId, tenant, version);
  };
  const become = async (...statuses: Tenant['status'][]) => {
    await world.publish(...statuses.map(eventWith));
    const isHeld = statuses.at(-1) === 'suspended';
    await eventually(async () => {
      const { held, others } = await world.database.system.one(countHeld, { tenantId });
      expect(isHeld ? others : held).toBe(0);
    });
  };
  return {
    suspend: () => become('suspended'),
    resume: () => become('active'),
    /** One after the other, without waiting for what comes of each. */
    become,
    /** Of what was leased when the tenant was suspended only so many are left: the others are over, or back in the queue. */
    leased: (count: number) =>
      eventually(async () =>
        expect(await world.database.system.one(countLeased, { tenantId })).toEqual({ leased: count }),
      ),
  };
}
