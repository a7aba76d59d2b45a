import type { FeedEvent } from '@frontdesk/contracts';
import { Client } from 'pg';
import { eventually, startReceiver, uniqueTenantId } from '../../support/index.ts';
import { hooksOf } from './hooks.ts';
import { appointmentEvent, appointmentEvents, customerEvent } from './sample-events.ts';
import { type RunningWebhooks, startWebhooks } from './webhooks-world.ts';

const WAIT_SECONDS = 25;

let world: RunningWebhooks;
let tenant: number;
beforeAll(async () => {
  world = await startWebhooks();
});
afterAll(async () => {
  await world.stop();
});
beforeEach(() => {
  tenant = uniqueTenantId();
});

interface Page {
  events: FeedEvent[];
  ids: string[];
  next: string;
  hasMore: boolean;
}

async function read(query = '', keyId = tenant): Promise<Page> {
  const { status, body } = await world.feed(tenant, query, keyId);
  expect({ status, body }).toMatchObject({ status: 200 });
  const { next_cursor: next, has_more: hasMore } = body.meta;
  return { events: body.data, ids: body.data.map(({ id }: FeedEvent) => id), next, hasMore };
}

const idsOf = (events: readonly { event_id: string }[]) => events.map(({ event_id }) => `evt_${event_id}`);

/** Events that have come in. */
async function received(...events: ReturnType<typeof appointmentEvents>) {
  await world.publish(...events);
  const last = idsOf(events).at(-1);
  await eventually(async () => expect((await read('?limit=100')).ids).toContain(last));
  return events;
}

describe('the feed of events', () => {
  it('has every event once, in one order, with nobody subscribed', async () => {
    const events = await received(...appointmentEvents(tenant, 5), customerEvent(tenant));
    const { events: shown, ids } = await read();
    expect(ids.toSorted()).toEqual(idsOf(events).toSorted());
    expect(shown.find(({ event }) => event === 'customer.created')).toMatchObject({
      created_at: expect.any(String),
      sequence: 1,
      data: { name: expect.any(String) },
      cursor: expect.any(String),
    });
    expect((await read()).ids).toEqual(ids);
  });

  it('goes on behind any cursor, of an event or of an answer', async () => {
    await received(...appointmentEvents(tenant, 5));
    const { events, ids } = await read();
    expect((await read(`?after=${events[1]?.cursor}`)).ids).toEqual(ids.slice(2));

    const walked: string[] = [];
    let page = await read('?limit=2');
    walked.push(...page.ids);
    while (page.hasMore) {
      page = await read(`?limit=2&after=${page.next}`);
      walked.push(...page.ids);
    }
    expect(walked).toEqual(ids);
    const late = await received(appointmentEvent(tenant));
    expect((await read(`?after=${page.next}`)).ids).toEqual(idsOf(late));
  });

  it('shows only the types that are asked for, and moves on behind the others', async () => {
    await received(...appointmentEvents(tenant, 2), customerEvent(tenant));
    const { ids, next } = await read('?types=customer.created,call.ended');
    expect(ids).toHaveLength(1);
    expect((await read(`?types=customer.created&after=${next}`)).ids).toEqual([]);
  });

  it('skips all there are after latest', async () => {
    await received(...appointmentEvents(tenant, 2));
    const { ids, next } = await read('?after=latest');
    expect(ids).toEqual([]);
    const [event] = await received(appointmentEvent(tenant));
    expect((await read(`?after=${next}`)).ids).toEqual(idsOf([event as never]));
  });

  it('shows nobody the events of another tenant', async () => {
    await received(...appointmentEvents(tenant, 2));
    const { next } = await read();
    const other = uniqueTenantId();
    const { body } = await world.feed(other, `?after=${next}`);
    expect(body.data).toEqual([]);
    expect((await world.feed(other)).body.data).toEqual([]);
  });

  it('serves nothing that a late commit could overtake', async () => {
    await received(appointmentEvent(tenant));
    const { next } = await read();
    const client = new Client({ connectionString: world.databaseUrl });
    await client.connect();
    try {
      const [slow] = appointmentEvents(tenant, 1);
      const id = `evt_${slow?.event_id}`;
      await client.query('begin');
      await client.query('select pg_current_xact_id()');
      await client.query(
        `insert into events (tenant_id, event_id, name, sequence, occurred_at, body)
         values ($1, $2, 'appointment.created', 1, now(), $3)`,
        [
          tenant,
          slow?.event_id,
          JSON.stringify({
            ...slow,
            id,
            event: 'appointment.created',
            created_at: slow?.occurred_at,
            sequence: 1,
          }),
        ],
      );
      const fast = appointmentEvent(tenant);
      await world.publish(fast);
      await eventually(async () => {
        const { rows } = await client.query('select from events where event_id = $1', [fast.event_id]);
        expect(rows).toHaveLength(1);
      });
      expect(await read(`?after=${next}`)).toMatchObject({ ids: [], hasMore: false });
      await client.query('commit');
      expect((await read(`?after=${next}`)).ids).toEqual([id, ...idsOf([fast])]);
    } finally {
      await client.end();
    }
  });
});

describe('the delivery log', () => {
  it('shows the cursor of each delivery’s event, and none of a test', async () => {
    const receiver = await startReceiver();
    const hooks = hooksOf(world, tenant);
    try {
      const { id } = await hooks.create(receiver, [
        'appointment.created',
        'appointment.booked',
        'missed_call',
      ]);
      await received(...appointmentEvents(tenant, 3));
      await hooks.send('POST', `/${id}/test`);
      const { events } = await read();
      const [test, ...others] = await hooks.settled('delivered', 'delivered', 'delivered', 'delivered');
      expect(test).toMatchObject({ event: 'endpoint.test', feed_cursor: null });
      const cursors = Object.fromEntries(others.map(({ payload, feed_cursor }) => [payload.id, feed_cursor]));
      expect(cursors).toEqual(Object.fromEntries(events.map(({ id, cursor }) => [id, cursor])));
    } finally {
      await receiver.close();
    }
  });
});

describe('waiting for an event', () => {
  it('answers as soon as one comes', async () => {
    const { next } = await read();
    const waiting = read(`?after=${next}&wait=${WAIT_SECONDS}`);
    const event = appointmentEvent(tenant);
    await world.publish(event);
    expect((await waiting).ids).toEqual(idsOf([event]));
  });

  it('ends after the time asked for, with a cursor that goes on', async () => {
    const { next } = await read();
    const { ids, next: later } = await read(`?after=${next}&wait=1`);
    expect(ids).toEqual([]);
    const [event] = await received(appointmentEvent(tenant));
    expect((await read(`?after=${later}`)).ids).toEqual(idsOf([event as never]));
  });

  it('goes on while only other types come', async () => {
    const { next } = await read();
    const waiting = read(`?after=${next}&wait=${WAIT_SECONDS}&types=customer.created`);
    await world.publish(...appointmentEvents(tenant, 2));
    await eventually(async () => expect((await read(`?after=${next}`, tenant + 1)).ids).toHaveLength(2));
    const event = customerEvent(tenant);
    await world.publish(event);
    expect((await waiting).ids).toEqual(idsOf([event]));
  });

  it('ends when another request waits with the same key', async () => {
    const { next } = await read();
    const first = read(`?after=${next}&wait=${WAIT_SECONDS}`);
    const second = read(`?after=${next}&wait=${WAIT_SECONDS}`);
    const { ids, next: later } = await Promise.race([first, second]);
    expect(ids).toEqual([]);
    expect(later).toEqual(expect.any(String));
    const event = appointmentEvent(tenant);
    await world.publish(event);
    const answers = await Promise.all([first, second]);
    expect(answers.map(({ ids }) => ids)).toContainEqual(idsOf([event]));
  });
});

describe('410', () => {
  it('for a cursor behind which events may be gone, with the oldest one that is left', async () => {
    const [event] = await received(appointmentEvent(tenant));
    const old = Buffer.from(JSON.stringify(['events', 1, 1])).toString('base64url');
    const { status, body } = await world.feed(tenant, `?after=${old}`);
    expect({ status, code: body.code }).toEqual({ status: 410, code: 'cursor_expired' });
    expect((await read(`?after=${body.data.oldest_cursor}`)).ids).toEqual(idsOf([event as never]));
  });
});

describe('422', () => {
  const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  it.each([
    ['after', 'no-cursor'],
    ['after', cursor(['id', 0, 5])],
    ['after', cursor(['events', 20_000])],
    ['after', cursor(['events', 99_999, Number.MAX_SAFE_INTEGER])],
    ['wait', '26'],
    ['wait', '-1'],
    ['limit', '0'],
    ['types', 'appointment.booked'],
    ['types', ''],
  ])('%s=%s', async (field, value) => {
    const { status, body } = await world.feed(tenant, `?${field}=${value}`);
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual([field]);
  });
});
