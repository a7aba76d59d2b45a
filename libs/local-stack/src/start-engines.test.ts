import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, requireFreePort } from './ports.ts';
import { startEngines } from './start-engines.ts';

describe('starting engines', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'engines-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('uses those that the environment names', async () => {
    const env = {
      DATABASE_URL: 'postgres://elsewhere',
      REDIS_URL: 'redis://elsewhere',
      KAFKA_BROKERS: 'elsewhere:9092',
    };
    const ports = { postgres: 1, redis: 2, kafka: 3, kafkaController: 4 };
    const { stop, ...addresses } = await startEngines({ directory, ports, env });
    expect(addresses).toEqual({
      databaseUrl: 'postgres://elsewhere',
      redisUrl: 'redis://elsewhere',
      kafkaBrokers: 'elsewhere:9092',
      setKafkaUser: null,
    });
    await stop();
  });

  it('names a port that is in use, whose it would be, and what to do', async () => {
    const [port = 0] = await freePorts(1);
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    await expect(requireFreePort(port, 'Redis')).rejects.toThrow(
      `Port ${port}, needed by Redis, is in use. Stop what uses it, or choose other ports with PORT_BASE`,
    );
    const ports = { postgres: 1, redis: port, kafka: 3, kafkaController: 4 };
    const env = { DATABASE_URL: 'postgres://elsewhere', KAFKA_BROKERS: 'elsewhere:9092' };
    await expect(startEngines({ directory, ports, env })).rejects.toThrow(`Port ${port}, needed by Redis`);
    other.close();
  });
});
