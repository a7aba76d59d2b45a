import { Client, type QueryResultRow } from 'pg';
import { LEASE_OWNERS } from '../../../services/webhooks/src/queue/lease.statements.ts';
import { generateSecret } from '../../../services/webhooks/src/receivers/signature.rules.ts';
import { IN_OWN_DATABASE } from '../../support/index.ts';

export interface HeldDelivery {
  id: number;
  endpoint_id: number;
  event_id: string;
}

/** What the database of webhooks says, on a connection for each question: it may be killed between two of them. */
export function createLedger(databaseUrl: string) {
  const query = async <Row extends QueryResultRow>(text: string, values: unknown[] = []) => {
    const client = new Client({ connectionString: databaseUrl });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  /** A delivery, its endpoint and its event, of what a condition on the queue leaves. */
  const queued = (condition: string, values: unknown[] = []) =>
    query<HeldDelivery>(
      `select q.delivery_id as id, q.endpoint_id, v.event_id
       from delivery_queue q
       join deliveries d on d.tenant_id = q.tenant_id and d.id = q.delivery_id
       join events v on v.tenant_id = d.tenant_id and v.id = d.event_row
       where ${condition}`,
      values,
    );
  return {
    query,
    async subscribe(tenantId: number, url: string): Promise<number> {
      const [endpoint] = await query<{ id: number }>(
        `insert into endpoints (tenant_id, url, events, secret)
         values ($1, $2, array['appointment.created'], $3) returning id`,
        [tenantId, url, generateSecret()],
      );
      return Number(endpoint?.id);
    },
    /** What the process that calls itself so to PostgreSQL has under way. */
    heldBy: (applicationName: string) =>
      queued(
        `q.lease_owner in (
           select l.objid::bigint from pg_locks l join pg_stat_activity a on a.pid = l.pid
           where l.locktype = 'advisory' and l.classid = ${LEASE_OWNERS} and ${IN_OWN_DATABASE}
             and a.application_name = $1)`,
        [applicationName],
      ),
    /** What is under way anywhere. */
    held: () => queued('q.lease_token is not null'),
    /** Of these deliveries, by status. */
    statusesOf: async (ids: readonly number[]) =>
      (
        await query<{ status: string }>('select status from deliveries where id = any($1::bigint[])', [ids])
      ).map(({ status }) => status),
    /** Everything in a few numbers; the log is right where the first four are one number and the rest is 0. */
    async totals() {
      const [totals] = await query<Record<string, number>>(`
        select (select count(*) from deliveries)::integer as deliveries,
          (select count(distinct (d.endpoint_id, v.event_id))
            from deliveries d join events v on v.tenant_id = d.tenant_id and v.id = d.event_row)::integer as places,
          (select count(*) from deliveries where status = 'delivered')::integer as delivered,
          (select coalesce(sum(attempt_count), 0) from deliveries)::integer as attempts,
          (select count(*) from delivery_queue)::integer as waiting`);
      return totals;
    },
  };
}
