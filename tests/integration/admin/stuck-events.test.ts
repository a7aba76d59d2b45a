import type { AddressInfo } from 'node:net';
import type { DomainEvent } from '@frontdesk/contracts';
import { createDeadLetters, systemSql } from '@frontdesk/database';
import { createConsumer, withAdmin } from '@frontdesk/events';
import { createMetrics } from '@frontdesk/service';
import { ADMIN, operatorBy } from '../../e2e/support/operator.ts';
import {
  collectDeadLetters,
  eventually,
  identityKeys,
  kafkaClient,
  logger,
  progressBox,
  removeTopics,
} from '../../support/index.ts';
import { appointmentEvent } from '../crm/appointment-event.ts';
import { type CrmWorld, startCrm } from '../crm/crm-world.ts';

const TOPIC_RESOURCE = 2;
const GROUP = 'crm.appointments';

const forgetChanges = systemSql<never>('test_forget_operator_changes', 'delete from operator_changes');
const changes = systemSql<{ tenant_id: number; actor: string; change: string }>(
  'test_operator_changes',
  `select tenant_id, actor, action || ' ' || outcome || ': ' || subject as change from operator_changes order by id`,
);

describe('npm run admin -- stuck-event', () => {
  let crm: CrmWorld;
  let kafka: ReturnType<typeof kafkaClient>;
  let operator: ReturnType<typeof operatorBy>;
  let tenant: number;
  let reader: ReturnType<typeof createConsumer>;
  const heard: DomainEvent[] = [];

  beforeAll(async () => {
    crm = await startCrm({ isWhole: true });
    tenant = crm.newTenant();
    kafka = kafkaClient(crm.config.KAFKA_PREFIX);
    const { port } = crm.service.internal.server.address() as AddressInfo;
    operator = operatorBy(ADMIN, {
      PATH: process.env.PATH,
      // Nobody listens there: only crm is up.
      PORT_BASE: '61000',
      OPERATOR_KEY_FILE: identityKeys().privateKeyFile('operator'),
      OPERATOR_NAME: 'alice',
      CRM_INTERNAL_URL: `http://127.0.0.1:${port}`,
    });
    reader = createConsumer({
      kafka,
      group: 'reader',
      topics: ['customers'],
      logger,
      metrics: createMetrics(),
      deadLetters: collectDeadLetters(),
      progress: progressBox(),
      apply: async (events) => {
        heard.push(...events);
      },
    });
    await reader.start();
    await eventually(() => expect(reader.ready()).toBeNull());
    await eventually(async () => expect(await ready()).toEqual({ status: 'ready' }));
  });

  afterAll(async () => {
    await reader.stop();
    await crm.stop();
    await removeTopics(crm.config.KAFKA_PREFIX);
  });

  const ready = async () =>
    (await crm.service.internal.inject({ method: 'GET', url: '/health/ready' })).json();
  const run = (words: string) => operator.run(['stuck-event', ...words.split(' ')]);
  const json = async (words: string) => {
    const { code, stdout, stderr } = await run(`${words} --json`);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  const stuck = () => json('list --service crm');
  /** What the business's audit log will be told, since `forgetChanges`. */
  const recorded = async () => {
    const rows = await crm.database.system.many(changes);
    expect(new Set(rows.map(({ tenant_id, actor }) => `${tenant_id} ${actor}`))).toEqual(
      new Set([`${tenant} alice`]),
    );
    return rows.map(({ change }) => change);
  };
  /** NaN where it wasn't read in time. */
  const waiting = async (metric: string) => {
    const { body } = await crm.service.internal.inject({ method: 'GET', url: '/metrics' });
    return Number(new RegExp(`^${metric} (.+)$`, 'm').exec(body)?.[1]);
  };

  const send = async (topic: string, key: string, value: string | Buffer) => {
    const producer = kafka.producer();
    await producer.connect();
    try {
      await producer.send({ topic: kafka.nameOf(topic), messages: [{ key, value }] });
    } finally {
      await producer.disconnect();
    }
  };
  const allowBytes = async (bytes: number) => {
    const configEntries = [{ name: 'max.message.bytes', value: String(bytes) }];
    const name = kafka.nameOf('customers');
    const resources = [{ type: TOPIC_RESOURCE, name, configEntries }];
    await withAdmin(kafka, (admin) => admin.alterConfigs({ validateOnly: false, resources }));
  };
  const visit = (id: number, customerId: number) =>
    appointmentEvent({
      tenant_id: tenant,
      customer_id: customerId,
      id,
      version: 1,
      status: 'completed',
      price: 20,
      date: '2026-03-02',
    });
  const newCustomer = async (name: string, phone: string): Promise<number> =>
    (await crm.api(tenant, 'POST', '/api/v1/customers', { name, phone })).body.data.id;

  it('an event that Kafka refuses is listed without what it says, and published once Kafka takes it', async () => {
    await allowBytes(150);
    await eventually(() => expect(send('customers', 'x', 'x'.repeat(500))).rejects.toThrow(/message/i));
    const id = await newCustomer('Zora Unheard', '030 23125 900');
    const [parked] = await eventually(async () => {
      const found = await stuck();
      expect(found).toHaveLength(1);
      return found;
    });
    expect(parked).toEqual({
      service: 'crm',
      id: expect.stringMatching(/^parked-\d+$/),
      topic: 'customers',
      type: 'customer.created',
      tenant_id: tenant,
      consumer: null,
      since: expect.stringMatching(/Z$/),
      reason: expect.stringContaining('larger than the max message size'),
    });
    expect((await run('list --service crm')).stdout).toMatch(/^service +id +topic +type +tenant_id +since/);
    await eventually(async () => expect(await waiting('outbox_parked_waiting')).toBe(1));
    const shown = await json(`show ${parked.id} --service crm`);
    expect(JSON.parse(shown.body)).toMatchObject({ aggregate_id: id, data: { name: 'Zora Unheard' } });

    // Refused again, it is parked again.
    await crm.database.system.run(forgetChanges);
    expect(await json(`retry ${parked.id} --service crm`)).toMatchObject({ id: parked.id, retried: true });
    expect(await recorded()).toEqual([`stuck_event_retried done: customer.created, ${parked.id}`]);
    await eventually(async () => expect((await stuck())[0]?.since > parked.since).toBe(true));

    await allowBytes(1_000_000);
    await eventually(async () => {
      if ((await stuck()).length > 0) await json('retry --all --service crm');
      // An event may be heard more than once.
      expect(new Set(heard.map(({ aggregate_id }) => aggregate_id))).toEqual(new Set([id]));
    });
    expect(await stuck()).toEqual([]);
    await eventually(async () => expect(await waiting('outbox_parked_waiting')).toBe(0));
  });

  it('a message that a consumer can’t read is listed, and applied once it can be read', async () => {
    const customer = await newCustomer('Yves Unread', '030 23125 901');
    const misshapen = { ...visit(1, customer), data: { notes: 'personal' } };
    await send('appointments', `${tenant}:1`, JSON.stringify(misshapen));
    const [deadLetter] = await eventually(async () => {
      const found = await stuck();
      expect(found).toHaveLength(1);
      return found;
    });
    expect(deadLetter).toMatchObject({ type: 'appointment.created', tenant_id: tenant, consumer: GROUP });
    expect(deadLetter.id).toMatch(/^letter-\d+$/);
    expect(JSON.stringify(deadLetter)).not.toContain('personal');
    expect(deadLetter.reason.length).toBeGreaterThan(200);
    expect((await run('list --service crm')).stdout).toContain(`${deadLetter.reason.slice(0, 100)}…\n`);
    await eventually(async () => expect(await waiting('dead_letters_waiting')).toBe(1));
    expect(JSON.parse((await json(`show ${deadLetter.id} --service crm`)).body)).toEqual(misshapen);
    await crm.database.system.run(forgetChanges);
    const again = await run(`retry ${deadLetter.id} --service crm`);
    expect(await recorded()).toEqual([`stuck_event_retried refused: appointment.created, ${deadLetter.id}`]);
    expect([again.code, again.stderr]).toEqual([
      2,
      expect.stringMatching(/message still can't be applied: data of/),
    ]);

    // As if a release before this one hadn't been able to read them.
    const { setAside } = createDeadLetters({ database: crm.database, metrics: createMetrics() });
    const place = { topic: kafka.nameOf('appointments'), partition: 0, timestamp: String(Date.now()) };
    const of = { ...place, key: null, tenantId: tenant, type: 'appointment.created', reason: 'too new' };
    const later = {
      ...of,
      group: GROUP,
      offset: '7',
      value: Buffer.from(JSON.stringify(visit(2, customer))),
    };
    await setAside(later);
    await setAside(later);
    await setAside({ ...of, group: 'crm.gone', offset: '8', value: Buffer.from([0xff, 0x00]) });
    const unknown = { ...visit(3, customer), type: 'appointment.merged' };
    await setAside({ ...of, group: GROUP, offset: '9', value: Buffer.from(JSON.stringify(unknown)) });
    expect(await stuck()).toHaveLength(4);

    await crm.database.system.run(forgetChanges);
    expect(await json('retry --all --service crm')).toEqual({ service: 'crm', retried: 1, still_stuck: 3 });
    expect(await recorded()).toEqual(['stuck_event_retried done: events: 1, still stuck: 3']);
    const { body } = await crm.api(tenant, 'GET', `/api/v1/customers/${customer}`);
    expect(body.data).toMatchObject({ total_appointments: 1, total_spent: 20 });
    const [, gone, merged] = await stuck();
    expect(await json(`show ${gone.id} --service crm`)).toMatchObject({ encoding: 'base64', body: '/wA=' });
    const orphan = await run(`retry ${gone.id} --service crm`);
    expect(orphan.stderr).toContain('this service has no consumer crm.gone any more');
    const tooNew = await run(`retry ${merged.id} --service crm`);
    expect(tooNew.stderr).toContain('type appointment.merged is unknown to this release');

    await crm.database.system.run(forgetChanges);
    const discarded = await stuck();
    for (const { id } of discarded) {
      const asked = await run(`discard ${id} --service crm`);
      expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('say --yes')]);
      expect(await json(`discard ${id} --service crm --yes`)).toEqual({ service: 'crm', id, deleted: true });
    }
    expect((await run('list --service crm')).stdout).toBe('(none)\n');
    expect(await recorded()).toEqual(
      discarded.map(
        ({ id, type }: { id: string; type: string }) => `stuck_event_discarded done: ${type}, ${id}`,
      ),
    );
    for (const words of [
      `show ${deadLetter.id}`,
      `retry ${deadLetter.id}`,
      `discard ${deadLetter.id} --yes`,
      'show 7',
    ])
      expect(await run(`${words} --service crm`)).toMatchObject({
        code: 2,
        stderr: 'error: Stuck event not found.\n',
      });
  });

  it('what one service holds is listed although others are away, and that is said', async () => {
    await send('appointments', `${tenant}:9`, 'no JSON');
    await eventually(async () => expect(await stuck()).toHaveLength(1));
    const { code, stdout, stderr } = await run('list --json');
    expect(JSON.parse(stdout)).toMatchObject([{ service: 'crm', type: null, tenant_id: tenant }]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("gateway can't be reached")]);
    expect((await run('retry --service crm')).stderr).toContain('either an id or --all');
    expect((await run('list --service salon')).code).toBe(2);
  });

  it('is for operators alone', async () => {
    const url = '/internal/stuck-events';
    for (const caller of [
      { issuer: 'settings-ui', role: 'admin', tenantId: tenant },
      { issuer: 'scheduling', role: 'service' },
    ] as const) {
      for (const [method, path] of [
        ['GET', url],
        ['GET', `${url}/letter-1`],
        ['POST', `${url}/retry`],
        ['POST', `${url}/letter-1/retry`],
        ['DELETE', `${url}/letter-1`],
      ] as const)
        expect((await crm.send('internal', caller, { method, url: path })).status).toBe(403);
    }
  });
});
