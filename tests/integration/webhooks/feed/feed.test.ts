import type { DomainEvent } from '@frontdesk/contracts';
import { Client } from 'pg';
import { feedCursors } from '../../../../services/webhooks/src/feed/feed-cursors.ts';
import { documentedUnder } from '../../../support/documented-commands.ts';
import { engines, eventually, startReceiver, uniqueTenantId } from '../../../support/index.ts';
import { hooksOf } from '../hooks.ts';
import { appointmentEvent, appointmentEvents, customerEvent } from '../sample-events.ts';
import { type RunningWebhooks, startWebhooks } from '../webhooks-world.ts';
import { feedOf, idsOf } from './feed-of.ts';

let world: RunningWebhooks;
let tenant: number;
beforeAll(async () => {
  world = await startWebhooks();
});
afterAll(() => world.stop());
beforeEach(() => {
  tenant = uniqueTenantId();
});

const read = (query?: string, keyId?: number) => feedOf(world, tenant).read(query, keyId);
const received = (...events: DomainEvent[]) => feedOf(world, tenant).received(...events);
const goesOn = (cursor: string, ids: string[]) => feedOf(world, tenant).goesOn(cursor, ids);

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

  it('takes the other names of an event, and shows it under its own', async () => {
    await received(...appointmentEvents(tenant, 2), customerEvent(tenant));
    const { events } = await read('?types=appointment.booked,missed_call,call.completed,appointment.created');
    expect(events.map(({ event }) => event)).toEqual(['appointment.created', 'appointment.created']);
    const { body } = await world.feed(tenant, '?types=appointment.creatd');
    expect(body.errors.types).toEqual([
      expect.stringMatching(/call\.completed.* Did you mean appointment\.created\?$/),
    ]);
  });

  it('skips all there are after latest', async () => {
    await received(...appointmentEvents(tenant, 2));
    const { ids, next } = await read('?after=latest');
    expect(ids).toEqual([]);
    const [event] = await received(appointmentEvent(tenant));
    expect((await read(`?after=${next}`)).ids).toEqual(idsOf([event as never]));
  });

  it('goes on behind every cursor after a backup was restored as the page for operators says', async () => {
    const commands = documentedUnder('docs/operations.md', 'Restore');
    const [, beyond = ''] = /frontdesk_webhooks -c "(select setval[^"]+)"$/m.exec(commands) ?? [];
    const database = new Client({ connectionString: world.databaseUrl });
    await database.connect();
    try {
      const { rows } = await database.query('select last_value from event_ids');
      await received(...appointmentEvents(tenant, 3));
      const { next } = await read();
      await database.query('delete from events where tenant_id = $1', [tenant]);
      await database.query(`select setval('event_ids', $1)`, [rows[0].last_value]);

      await database.query(beyond);

      const [event] = await received(appointmentEvent(tenant));
      expect((await read(`?after=${next}`)).ids).toEqual(idsOf([event as never]));
    } finally {
      await database.end();
    }
  });

  it('shows nobody the events of another tenant, and takes nobody else’s cursor', async () => {
    await received(...appointmentEvents(tenant, 2));
    const { events, next } = await read();
    const other = uniqueTenantId();
    for (const cursor of [next, events[0]?.cursor]) {
      const { status, body } = await world.feed(other, `?after=${cursor}`);
      expect({ status, body }).toMatchObject({ status: 422, body: { code: 'invalid_cursor' } });
      expect(Object.keys(body.errors)).toEqual(['after']);
    }
    expect((await world.feed(other)).body.data).toEqual([]);
  });

  it('goes on with other types, another limit and by another key, from any cursor', async () => {
    await received(...appointmentEvents(tenant, 3), customerEvent(tenant));
    const { events, ids } = await read();
    const at = events.findIndex(({ event }) => event === 'customer.created');
    const first = await read('?types=appointment.created&limit=1');
    const seen = ids.indexOf(first.ids[0] ?? '');
    expect((await read(`?after=${first.next}`)).ids).toEqual(ids.slice(seen + 1));
    const rest = await read(`?types=customer.created,call.ended&limit=7&after=${first.next}`, 99);
    expect(rest.ids).toEqual(at > seen ? [ids[at]] : []);
  });

  it('has the same cursor for an event each time, and one that says nothing', async () => {
    await received(...appointmentEvents(tenant, 3));
    const [first, second] = [(await read()).events, (await read('?limit=2')).events];
    expect(second.map(({ cursor }) => cursor)).toEqual(first.slice(0, 2).map(({ cursor }) => cursor));
    for (const { cursor } of first) {
      expect(cursor).toMatch(/^[\w-]{44}$/);
      expect(Buffer.from(cursor, 'base64url').toString()).not.toContain('events');
    }
  });

  describe('while a transaction that has taken in an event is open', () => {
    let client: Client;
    let next: string;
    beforeEach(async () => {
      client = new Client({ connectionString: world.databaseUrl });
      await client.connect();
      await received(appointmentEvent(tenant));
      ({ next } = await read());
    });
    afterEach(() => client.end());

    /** Takes an event in and leaves it uncommitted. @returns its id */
    async function takeIn(by: Client): Promise<string> {
      const event = appointmentEvent(tenant);
      const id = `evt_${event.event_id}`;
      const body = { id, event: event.type, created_at: event.occurred_at, sequence: 1, data: event.data };
      await by.query('begin');
      await by.query('select pg_current_xact_id()');
      await by.query(
        `insert into events (tenant_id, event_id, name, sequence, occurred_at, body) values ($1, $2, $3, 1, now(), $4)`,
        [tenant, event.event_id, event.type, JSON.stringify(body)],
      );
      return id;
    }

    it('no cursor passes it by, though nobody else writes', async () => {
      const id = await takeIn(client);
      const page = await read(`?after=${next}`);
      const latest = await read('?after=latest');
      await client.query('commit');
      expect(page.ids).toEqual([]);
      await goesOn(page.next, [id]);
      await goesOn(latest.next, [id]);
    });

    it('no later event is served before it', async () => {
      const id = await takeIn(client);
      const fast = appointmentEvent(tenant);
      await world.publish(fast);
      await eventually(async () => {
        const { rows } = await client.query('select from events where event_id = $1', [fast.event_id]);
        expect(rows).toHaveLength(1);
      });
      const page = await read(`?after=${next}`);
      await client.query('commit');
      expect(page).toMatchObject({ ids: [], hasMore: false });
      await goesOn(page.next, [id, ...idsOf([fast])]);
    });

    it('one of another database holds nothing back', async () => {
      const elsewhere = new Client({ connectionString: engines().databaseUrl });
      await elsewhere.connect();
      try {
        await elsewhere.query('begin');
        await elsewhere.query('select pg_current_xact_id()');
        await received(appointmentEvent(tenant));
      } finally {
        await elsewhere.end();
      }
    });

    it('no cursor passes it by when an older transaction ends first', async () => {
      const older = new Client({ connectionString: world.databaseUrl });
      await older.connect();
      try {
        const first = await takeIn(older);
        const second = await takeIn(client);
        expect((await read(`?after=${next}`)).ids).toEqual([]);
        await older.query('commit');
        const page = await read(`?after=${next}`);
        await client.query('commit');
        await eventually(async () => {
          const rest = await read(`?after=${page.next}`);
          expect([...page.ids, ...rest.ids]).toEqual([first, second]);
        });
      } finally {
        await older.end();
      }
    });

    it('a tenant’s first event is served once, when it has settled', async () => {
      tenant = uniqueTenantId();
      const id = await takeIn(client);
      const other = new Client({ connectionString: world.databaseUrl });
      await other.connect();
      try {
        const visible = await takeIn(other);
        await other.query('commit');
        const page = await read();
        await client.query('commit');
        expect(page.ids).toEqual([]);
        await goesOn(page.next, [id, visible]);
      } finally {
        await other.end();
      }
    });
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

describe('410', () => {
  it('for a cursor behind which events may be gone, with the oldest one that is left', async () => {
    const [event] = await received(appointmentEvent(tenant));
    const old = Buffer.from(JSON.stringify(['events', 1, 1])).toString('base64url');
    const { status, body } = await world.feed(tenant, `?after=${old}`);
    expect({ status, code: body.code }).toEqual({ status: 410, code: 'cursor_expired' });
    expect((await read(`?after=${body.data.oldest_cursor}`)).ids).toEqual(idsOf([event as never]));
  });
});

/** As release 0.1.0 wrote them. */
const old = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a cursor of the form of release 0.1.0', () => {
  const today = Math.floor(Date.now() / 86_400_000);
  const lastNumber = async () => {
    const { rows } = await query('select last_value::integer as last from event_ids');
    return rows[0].last as number;
  };
  async function query(text: string) {
    const client = new Client({ connectionString: world.databaseUrl });
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  }

  it('goes on behind its event', async () => {
    const [first] = await received(appointmentEvent(tenant));
    const behind = await lastNumber();
    const late = await received(...appointmentEvents(tenant, 2));
    expect((await read(`?after=${old(['events', today, behind])}`)).ids).toEqual(idsOf(late));
    expect((await read(`?after=${old(['events', today, behind - 1])}`)).ids).toEqual(
      idsOf([first as never, ...late]),
    );
  });

  it('422: in the future by its number or its day, and rewound by neither', async () => {
    await received(appointmentEvent(tenant));
    const last = await lastNumber();
    for (const content of [
      ['events', today, last + 1_000],
      ['events', 99_999, last],
      ['events', today + 3, 0],
      ['events', 1, Number.MAX_SAFE_INTEGER],
    ]) {
      const { status, body } = await world.feed(tenant, `?after=${old(content)}`);
      expect([content, status, body.code]).toEqual([content, 422, 'invalid_cursor']);
    }
  });
});

it('422: a cursor beyond the last event, as after a backup was restored', async () => {
  const { cursorOf } = feedCursors(world.database, tenant);
  await received(appointmentEvent(tenant));
  const { next } = await read();
  const { positionAt } = feedCursors(world.database, tenant);
  const { day, number } = positionAt(next) as { day: number; number: number };
  const beyond = cursorOf({ day, number: number + 1_000_000 });
  const { status, body } = await world.feed(tenant, `?after=${beyond}`);
  expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'invalid_cursor', ['after']]);
});

describe('422', () => {
  it.each([
    ['invalid_cursor', 'after', 'no-cursor'],
    ['invalid_cursor', 'after', ''],
    ['invalid_cursor', 'after', 'LATEST'],
    ['invalid_cursor', 'after', '%00'],
    ['invalid_cursor', 'after', 'A'.repeat(44)],
    ['invalid_cursor', 'after', 'A'.repeat(10_000)],
    ['invalid_cursor', 'after', old('events')],
    ['invalid_cursor', 'after', old(['id', 0, 5])],
    ['invalid_cursor', 'after', old(['events', 20_000])],
    ['invalid_cursor', 'after', old(['events', 99_999, Number.MAX_SAFE_INTEGER])],
    ['invalid_cursor', 'after', 'latest&after=latest'],
    ['validation_failed', 'wait', '26'],
    ['validation_failed', 'wait', '-1'],
    ['validation_failed', 'limit', '0'],
    ['validation_failed', 'types', 'tenant.created'],
    ['validation_failed', 'types', 'customer.created,'],
    ['validation_failed', 'types', 'constructor'],
    ['validation_failed', 'types', ''],
  ])('%s: %s=%s', async (code, field, value) => {
    const { status, body } = await world.feed(tenant, `?${field}=${value}`);
    expect([status, body.code]).toEqual([422, code]);
    expect(Object.keys(body.errors)).toEqual([field]);
  });
});
