import { Client } from 'pg';
import { createFeedWorker } from '../../../services/webhooks/src/workers/feed.worker.ts';
import { eventually, logger, uniqueTenantId } from '../../support/index.ts';
import { customerEvent } from './sample-events.ts';
import { type RunningWebhooks, startWebhooks } from './webhooks-world.ts';

/** As many as a request looks through. */
const LOOKED_AT = 5_000;

let world: RunningWebhooks;
let client: Client;
beforeAll(async () => {
  world = await startWebhooks();
  client = new Client({ connectionString: world.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await world.stop();
});

const insertEvents = (tenantId: number, name: string, count: number) =>
  client.query(
    `insert into events (tenant_id, event_id, name, sequence, occurred_at, body)
     select $1, id, $2, 1, now(), json_build_object('id', id, 'event', $2::text, 'created_at', now(), 'sequence', 1, 'data', '{}'::json)
     from (select gen_random_uuid() as id from generate_series(1, $3::integer)) as given`,
    [tenantId, name, count],
  );

it('a request for a rare type looks through a bounded number of events, and the next one goes on', async () => {
  const tenant = uniqueTenantId();
  await insertEvents(tenant, 'customer.updated', LOOKED_AT + 3);
  await insertEvents(tenant, 'call.missed', 2);
  const rare = 'types=call.missed';
  const { status, body: first } = await world.feed(tenant, `?${rare}&wait=25`);
  expect({ status, first }).toMatchObject({ status: 200, first: { data: [], meta: { has_more: true } } });
  const { body: second } = await world.feed(tenant, `?${rare}&after=${first.meta.next_cursor}`);
  expect(second.data.map(({ event }: { event: string }) => event)).toEqual(['call.missed', 'call.missed']);
  expect(second.meta.has_more).toBe(false);
  const { body: rest } = await world.feed(tenant, `?after=${first.meta.next_cursor}`);
  expect(rest.data).toHaveLength(5);
});

it('all events behind a cursor come by small answers, and none of their other names', async () => {
  const tenant = uniqueTenantId();
  await insertEvents(tenant, 'appointment.booked', 4);
  await insertEvents(tenant, 'appointment.created', 4);
  await insertEvents(tenant, 'appointment.booked', 4);
  const names: string[] = [];
  let page = (await world.feed(tenant, '?limit=1')).body;
  names.push(...page.data.map(({ event }: { event: string }) => event));
  while (page.meta.has_more) {
    page = (await world.feed(tenant, `?limit=1&after=${page.meta.next_cursor}`)).body;
    names.push(...page.data.map(({ event }: { event: string }) => event));
  }
  expect(names).toEqual(Array(4).fill('appointment.created'));
});

it('a waiting request is woken once its event has settled, and not before', async () => {
  const tenant = uniqueTenantId();
  let isSettled = false;
  let looks = 0;
  const worker = createFeedWorker({
    system: world.database.system,
    settled: {
      async haveSettled(ids) {
        looks += 1;
        return ids.map(() => isSettled);
      },
    },
    logger,
  });
  await worker.start?.();
  try {
    let outcome: boolean | undefined;
    const wait = { tenantId: tenant, after: { day: 0, number: 0 }, reader: '1', turn: worker.nextTurn() };
    const waiting = worker.wait(wait, new AbortController().signal).then((hasNews) => {
      outcome = hasNews;
    });
    await world.publish(customerEvent(tenant));
    await eventually(() => expect(looks).toBeGreaterThan(2));
    expect(outcome).toBeUndefined();
    isSettled = true;
    await waiting;
    expect(outcome).toBe(true);
  } finally {
    worker.endWaits();
    await worker.stop?.();
  }
});
