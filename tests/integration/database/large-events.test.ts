import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createOutboxRelay, systemSql } from '@frontdesk/database';
import { createMetrics, type OutboundRecord } from '@frontdesk/service';
import { eventually } from '../../support/index.ts';
import { logger, openDatabase } from './database-world.ts';

const EVENTS = 120;
const LARGE_BYTES = 150_000;

const emit = systemSql<never, { envelope: string }>(
  'test_emit',
  `insert into outbox (tenant_id, event_id, topic, aggregate_id, envelope) values (1, gen_random_uuid(), 'tenants', 1, $envelope)`,
);

/** A way to PostgreSQL that counts what comes from there. */
async function countedWay(url: string) {
  const target = new URL(url);
  let bytes = 0;
  const server = createServer((client) => {
    const engine = connect(Number(target.port), target.hostname);
    engine.on('data', (chunk) => {
      bytes += chunk.length;
    });
    engine.on('error', () => client.destroy());
    client.on('error', () => engine.destroy());
    client.pipe(engine).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).toString(),
    bytes: () => bytes,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

it('large events among small ones are published in order and whole, and events behind a batch are not read for it', async () => {
  const world = await openDatabase();
  const way = await countedWay(world.url);
  const envelopes = Array.from({ length: EVENTS }, (_, number) =>
    JSON.stringify({ number, text: number % 5 === 0 ? 'short' : randomBytes(LARGE_BYTES).toString('hex') }),
  );
  for (const envelope of envelopes) await world.database.system.run(emit, { envelope });
  const published: string[] = [];
  const publish = async (records: readonly OutboundRecord[]) => {
    published.push(...records.map(({ value }) => value));
  };
  const relay = createOutboxRelay({
    database: { ...world.database, url: way.url },
    publisher: { publish },
    logger,
    metrics: createMetrics(),
  });
  try {
    await relay.start?.();
    await eventually(() => expect(published).toHaveLength(EVENTS));
    expect(published.every((value, index) => value === envelopes[index])).toBe(true);
    expect(way.bytes()).toBeLessThan(1.3 * envelopes.join('').length);
  } finally {
    await relay.stop?.();
    await way.close();
    await world.close();
  }
});
