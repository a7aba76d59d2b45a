import type { Client } from 'pg';

/** Deliveries of old events that wait for this endpoint, written as if they had come in over the last hours. */
export async function insertBacklog(
  client: Client,
  {
    tenantId,
    endpointId,
    count,
    bytes = 0,
    isAnalysed = true,
  }: {
    tenantId: number;
    endpointId: number;
    count: number;
    /** Of each body, beside its ends. */
    bytes?: number;
    /** Whether PostgreSQL looks at what is there now, and plans anew. */
    isAnalysed?: boolean;
  },
): Promise<void> {
  await client.query(
    `with event as (
       insert into events (tenant_id, event_id, name, sequence, occurred_at, body)
       select $1, gen_random_uuid(), 'appointment.created', 1, now(), '{"id":"evt_backlog' || repeat('x', $4::integer) || '"}'
       from generate_series(1, $3::integer)
       returning id
     ), logged as (
       insert into deliveries (tenant_id, endpoint_id, event_row, name)
       select $1, $2, id, 'appointment.created' from event
       returning id, event_row
     )
     insert into delivery_queue (delivery_id, tenant_id, endpoint_id, event_row, due_at)
     select id, $1, $2, event_row, now() - interval '3 hours' from logged`,
    [tenantId, endpointId, count, bytes],
  );
  if (isAnalysed) await client.query('analyze delivery_queue, deliveries');
}

/** How many of the tenant's deliveries have each status, and what attempts they have spent. */
export async function countsOf(client: Client, tenantId: number) {
  const { rows } = await client.query<{ status: string; count: number }>(
    'select status, count(*)::integer as count from deliveries where tenant_id = $1 group by status',
    [tenantId],
  );
  const counts = { pending: 0, delivered: 0, failed: 0, cancelled: 0 };
  return Object.assign(counts, Object.fromEntries(rows.map(({ status, count }) => [status, count])));
}
