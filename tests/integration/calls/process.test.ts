import type { DomainEvent } from '@frontdesk/contracts';
import { createConsumer } from '@frontdesk/events';
import { createMetrics } from '@frontdesk/service';
import { Client } from 'pg';
import { request } from 'undici';
import {
  collectDeadLetters,
  createTopics,
  eventually,
  IN_OWN_DATABASE,
  kafkaClient,
  logger,
  progressBox,
  removeTopics,
} from '../../support/index.ts';
import { type ServiceProcess, startService } from '../../support/service-process.ts';
import { type CallsWorld, type Source, startCalls } from './calls-world.ts';
import { genericCall } from './sample-calls.ts';
import { genericMessage } from './signed-messages.ts';

const MESSAGES = 25;
/** Longer than a test waits for anything. */
const LONG_MS = 120_000;
// Four processes are started one after the other.
jest.setTimeout(600_000);
/** Nobody listens there: a port for which it takes root. */
const NOBODY = '127.0.0.1:1';

/** The service as it is deployed; the world beside it only looks. */
describe('a calls process', () => {
  let calls: CallsWorld;
  let tenant: number;
  let source: Source;
  let running: ServiceProcess | undefined;
  beforeEach(async () => {
    calls = await startCalls({ workers: [] });
    await createTopics(calls.config.KAFKA_PREFIX);
    tenant = calls.newTenant();
    source = await calls.newSource(tenant);
  });
  afterEach(async () => {
    await running?.kill();
    await calls.stop();
    await removeTopics(calls.config.KAFKA_PREFIX);
  });

  const start = async (env: Record<string, string> = {}) => {
    const world = calls.environment();
    const own = {
      LOG_LEVEL: 'silent',
      // Room for requests while every worker waits for a lock, for as long as the test holds it.
      DATABASE_POOL_MAX: '40',
      SHUTDOWN_TIMEOUT_MS: String(LONG_MS),
    };
    const environment = { ...world, ...own, ...env };
    running = await startService('services/calls/src/main.ts', environment);
    return running;
  };

  const send = async (to: ServiceProcess) => {
    const { body, headers } = genericMessage(genericCall(), source);
    const answer = await request(`${to.url}${source.path}`, { method: 'POST', headers, body: String(body) });
    await answer.body.dump();
    return answer.statusCode;
  };
  const statuses = async () =>
    (await calls.messages(tenant, '?per_page=100')).map(({ status }: { status: string }) => status);

  /** Runs the work while nobody gets at calls, so that messages are stored and not read. */
  const whileCallsAreLocked = async (work: (release: () => Promise<unknown>) => Promise<void>) => {
    const client = new Client({ connectionString: calls.config.DATABASE_URL });
    await client.connect();
    await client.query('begin');
    await client.query('lock table calls in access exclusive mode');
    await work(() => client.query('rollback'));
    await client.end();
  };

  it('that is killed between storing and reading loses nothing, and announces each call once', async () => {
    const first = await start();
    await whileCallsAreLocked(async () => {
      const answers = await Promise.all(Array.from({ length: MESSAGES }, () => send(first)));
      expect(answers).toEqual(Array(MESSAGES).fill(202));
      await first.kill();
      expect(await statuses()).toEqual(Array(MESSAGES).fill('received'));
    });
    await start();
    await eventually(async () => expect(await statuses()).toEqual(Array(MESSAGES).fill('applied')));
    expect((await calls.list(tenant)).meta.total).toBe(MESSAGES);
    // Each has waited for crm to be asked.
    await eventually(async () =>
      expect(await calls.eventTypes(tenant)).toEqual(Array(MESSAGES).fill('call.ended')),
    );
  });

  it('that is killed at any moment, again and again, loses nothing', async () => {
    const sent: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const process = await start();
      const answers = Array.from({ length: MESSAGES }, () => send(process).catch(() => 0));
      await Promise.race(answers);
      await process.kill();
      sent.push(...(await Promise.all(answers)));
    }
    const taken = sent.filter((status) => status === 202).length;
    await start();
    await calls.settled(tenant);
    await eventually(async () => {
      // PostgreSQL may have the last word of a killed process after the next one has started.
      const { total } = (await calls.list(tenant)).meta;
      expect(total).toBeGreaterThanOrEqual(taken);
      expect(await calls.eventTypes(tenant)).toEqual(Array(total).fill('call.ended'));
    });
  });

  it('that is killed before its events have left publishes them when it is back', async () => {
    const first = await start({ KAFKA_BROKERS: NOBODY });
    expect(await send(first)).toBe(202);
    await eventually(async () => expect(await calls.eventTypes(tenant)).toEqual(['call.ended']));
    await first.kill();

    const seen: DomainEvent[] = [];
    const kafka = kafkaClient(calls.config.KAFKA_PREFIX);
    const reader = createConsumer({
      kafka,
      group: 'reader',
      topics: ['calls'],
      deadLetters: collectDeadLetters(),
      progress: progressBox(),
      logger,
      metrics: createMetrics(),
      apply: async (events) => {
        seen.push(...events);
      },
    });
    await start();
    await reader.start();
    const [written] = await calls.events(tenant);
    await eventually(() => expect(seen).toContainEqual(written));
    await reader.stop();
  });

  it('finishes the message in hand on SIGTERM, and exits 0', async () => {
    const process = await start();
    await whileCallsAreLocked(async (release) => {
      expect(await send(process)).toBe(202);
      const waiting = `select from pg_locks where relation = 'calls'::regclass and not granted and ${IN_OWN_DATABASE}`;
      const watcher = new Client({ connectionString: calls.config.DATABASE_URL });
      await watcher.connect();
      await eventually(async () => expect((await watcher.query(waiting)).rowCount).toBeGreaterThan(0));
      await watcher.end();
      const exited = process.stop();
      await eventually(async () => expect(await send(process).catch(() => 0)).not.toBe(202));
      await release();
      expect(await exited).toBe(0);
    });
    running = undefined;
    expect(await statuses()).toContain('applied');
    // Whose number it is may still be asked then: the next process goes on with that.
    await start();
    await eventually(async () => expect(await calls.eventTypes(tenant)).toContain('call.ended'));
  });
});
