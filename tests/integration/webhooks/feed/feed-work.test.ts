import { Client } from 'pg';
import { createFeedWorker } from '../../../../services/webhooks/src/feed/feed.worker.ts';
import { feedCursors } from '../../../../services/webhooks/src/feed/feed-cursors.ts';
import { IDS_A_DAY } from '../../../../services/webhooks/src/queue/delivery-id.rules.ts';
import { eventually, logger, uniqueTenantId } from '../../../support/index.ts';
import { customerEvent } from '../sample-events.ts';
import { type RunningWebhooks, startWebhooks } from '../webhooks-world.ts';

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

/** As they came in on a day, counted from today; the feed may be served beyond them. */
async function insertEvents(tenantId: number, name: string, count: number, day = 0) {
  const today = Math.floor(Date.now() / 86_400_000);
  await client.query('select ensure_partitions($1, $1)', [today + day]);
  await client.query(
    `insert into events (id, tenant_id, event_id, name, sequence, occurred_at, body)
     select $4::bigint * ${IDS_A_DAY} + number, $1, event_id, $2, number, now(), json_build_object(
       'id', event_id, 'event', $2::text, 'created_at', now(), 'sequence', number, 'data', '{}'::json)
     from (
       select gen_random_uuid() as event_id, nextval('event_ids') as number from generate_series(1, $3::integer)
     ) as given`,
    [tenantId, name, count, today + day],
  );
  const { rows } = await client.query('select last_value::integer as last from event_ids');
  await eventually(async () => {
    const { body } = await world.feed(tenantId, '?after=latest');
    const { positionAt } = feedCursors(world.database, tenantId);
    expect(positionAt(body.meta.next_cursor)?.number).toBeGreaterThanOrEqual(rows[0].last);
  });
}

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

it('a request looks through few events of days further on, and misses none of them', async () => {
  const tenant = uniqueTenantId();
  const perDay = 250;
  for (let day = -9; day <= 0; day += 1) await insertEvents(tenant, 'customer.updated', perDay, day);
  await insertEvents(tenant, 'call.missed', 1);
  const read = async (query: string) => {
    const sequences: number[] = [];
    let page = (await world.feed(tenant, `?${query}`)).body;
    let requests = 1;
    for (; page.meta.has_more; requests += 1) {
      sequences.push(...page.data.map(({ sequence }: { sequence: number }) => sequence));
      page = (await world.feed(tenant, `?${query}&after=${page.meta.next_cursor}`)).body;
    }
    sequences.push(...page.data.map(({ sequence }: { sequence: number }) => sequence));
    return { sequences, requests };
  };
  const inserted = await client.query('select sequence from events where tenant_id = $1 order by sequence', [
    tenant,
  ]);
  const all = inserted.rows.map(({ sequence }) => Number(sequence));
  expect(all).toHaveLength(10 * perDay + 1);
  expect((await read('limit=100')).sequences).toEqual(all);
  expect((await read('limit=25&types=customer.updated')).sequences).toEqual(all.slice(0, -1));
  // Of the days further on 2 × limit are looked at in one request.
  const { sequences, requests } = await read('limit=10&types=call.missed');
  expect(sequences).toEqual(all.slice(-1));
  expect(requests).toBeGreaterThan(2);
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
    const wait = {
      tenantId: tenant,
      after: { day: 0, number: 0 },
      reader: '1',
      requestNumber: worker.nextRequestNumber(),
    };
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
