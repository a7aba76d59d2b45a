import { randomUUID } from 'node:crypto';
import { createDatabase, migrate, systemSql } from '@frontdesk/database';
import { createLogger } from '@frontdesk/service';
import type { Client } from 'pg';
import { insertEvents } from '../../services/webhooks/src/events/event.repository.ts';
import { migrations } from '../../services/webhooks/src/migrations/index.ts';
import { WORK_SESSION_SETTINGS } from '../../services/webhooks/src/queue/postgres-settings.rules.ts';
import {
  claimDeliveries,
  freeLostLeases,
  recordResults,
  returnLeases,
} from '../../services/webhooks/src/queue/queue.repository.ts';
import { cpuSecondsOfTree } from '../support/process-cpu.ts';
import type { Stack } from './stack.ts';

/** What the day has when the plans are made, as PostgreSQL has seen it, and what has come in since then. */
const SMALL = 60;
const FULL = 50_000;
const BATCH = 2;
const BATCHES = 400;
/** More often than PostgreSQL tries plans for the parameters at hand before it keeps one for all. */
const WARM_UP_BATCHES = 7;
const TENANT = 1;
const TENANTS = 10;
const LEASE_MS = 60_000;

const { enable_seqscan, plan_cache_mode } = WORK_SESSION_SETTINGS;
const SETTINGS = {
  'as they are': WORK_SESSION_SETTINGS,
  'no enable_seqscan': { plan_cache_mode },
  'no plan_cache_mode': { enable_seqscan },
  none: {},
};
const backend = systemSql<{ pid: number }>('bench_backend', 'select pg_backend_pid() as pid');

/** PostgreSQL's CPU for each delivery on a day that fills before it is analysed: what the workers' session settings are worth. */
export async function measurePlans({ environment }: Stack): Promise<void> {
  for (const [name, settings] of Object.entries(SETTINGS)) {
    const { databaseUrl: url, withClient } = await environment.addDatabase();
    await migrate({ url, migrations, logger });
    await withClient((client) => measureFresh(client, url, name, settings));
  }
}

const logger = createLogger({ name: 'bench', level: 'warn' });

async function measureFresh(client: Client, url: string, name: string, settings: Record<string, string>) {
  // Of a service that has run for a month.
  await client.query(
    'select ensure_partitions(today - 30, today) from (select floor(extract(epoch from now()) / 86400)::bigint as today) days',
  );
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relname ~ '^(events|deliveries|delivery_queue)'`,
  );
  for (const table of rows) await client.query(`alter table ${table.name} set (autovacuum_enabled = off)`);
  await client.query(
    `insert into endpoints (tenant_id, url, events, secret)
     select n, 'http://127.0.0.1:9', '{appointment.created}', '' from generate_series(1, $1::integer) n`,
    [TENANTS],
  );
  const database = createDatabase({ url, poolMax: 1, migrations, sessionSettings: settings, logger });
  await database.start();
  try {
    const { pid } = await database.system.one(backend);
    await fill(client, SMALL);
    await client.query('analyze');
    for (const [, work] of steps(database, WARM_UP_BATCHES)) await work();
    await fill(client, FULL);
    const used: string[] = [];
    for (const [step, work] of steps(database, BATCHES)) {
      const before = cpuSecondsOfTree(pid);
      await work();
      const us = ((cpuSecondsOfTree(pid) - before) * 1e6) / (BATCH * BATCHES);
      used.push(`${step} ${us.toFixed(0)}`);
    }
    console.log(`${name.padEnd(18)} ${used.join(', ')} µs for each delivery`);
  } finally {
    await database.stop();
  }
}

/** All that happens to a delivery, in batches. */
function steps(
  { system }: ReturnType<typeof createDatabase>,
  batches: number,
): [name: string, work: () => Promise<unknown>][] {
  const limits = {
    perTenant: BATCH,
    perEndpoint: BATCH,
    endpoints: new Map(),
    tenants: new Map(),
    full: new Set<number>(),
  };
  const claim = () =>
    claimDeliveries(system, { fromTenantId: 1, limit: BATCH, owner: 1, limits, turns: new Map() }, LEASE_MS);
  const held: Awaited<ReturnType<typeof claim>>['claims'][] = [];
  const times = (work: (n: number) => Promise<unknown>) => async () => {
    for (let n = 0; n < batches; n += 1) await work(n);
  };
  const outcome = {
    startedAt: new Date(),
    durationMs: 10,
    httpStatus: 200,
    errorClass: null,
    responseBody: 'ok',
    requestHeaders: {},
    responseHeaders: {},
  };
  const verdict = { status: 'delivered', delayMs: null, disablesEndpoint: false } as const;
  return [
    [
      'insert',
      times(async () => {
        const { portion, basis } = receivedOf();
        await insertEvents(system, portion, basis);
      }),
    ],
    ['claim', times(async () => held.push((await claim()).claims))],
    ['return', times(() => returnLeases(system, held.shift() ?? []))],
    ['claim again', times(async () => held.push((await claim()).claims))],
    [
      'record',
      times((n) =>
        recordResults(
          system,
          (held[n] ?? []).map((each) => ({ claim: each, outcome, verdict })),
        ),
      ),
    ],
    // Nobody holds the lock of this owner.
    ['lose and free', times(() => claim().then(() => freeLostLeases(system)))],
  ];
}

/** A batch of one endpoint's. */
function receivedOf() {
  const endpoint = {
    tenant_id: TENANT,
    id: TENANT,
    version: 1,
    consecutive_failures: 0,
    events: ['appointment.created'],
  };
  const name = 'appointment.created' as const;
  const events = Array.from({ length: BATCH }, (_, n) => ({
    tenantId: TENANT,
    eventId: randomUUID(),
    name,
    sequence: n,
    occurredAt: new Date().toISOString(),
    body: '{}',
  }));
  const deliveries = events.map((_, n) => ({ name, endpoint, eventPosition: n + 1, traceparent: null }));
  return { portion: { events, deliveries }, basis: { checkedTenantIds: [TENANT], endpoints: [endpoint] } };
}

/** Deliveries that wait, of all tenants alike. */
const fill = (client: Client, count: number) =>
  client.query(
    `with event as (
       insert into events (tenant_id, event_id, name, sequence, occurred_at, body)
       select 1 + n % $2::integer, gen_random_uuid(), 'appointment.created', 1, now(), '{}' from generate_series(1, $1::integer) n
       returning tenant_id, id
     ), logged as (
       insert into deliveries (tenant_id, endpoint_id, event_row, name)
       select e.tenant_id, endpoints.id, e.id, 'appointment.created' from event e join endpoints using (tenant_id)
       returning *
     )
     insert into delivery_queue (delivery_id, tenant_id, endpoint_id, event_row)
     select id, tenant_id, endpoint_id, event_row from logged`,
    [count, TENANTS],
  );
