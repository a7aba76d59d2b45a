import { randomUUID } from 'node:crypto';
import { type Logger, loop, type Part } from '@frontdesk/service';
import pg from 'pg';

const CHANNEL = 'deliveries';
const INTERVAL_MS = 1_000;
const TIMEOUT_MS = 5_000;

export interface WakeChannel extends Part {
  /** Tells the other processes, after a commit, that there is something to deliver. Calls close together become one. */
  announce(): void;
}

/**
 * NOTIFY and LISTEN on a connection of its own, as a subscription lives with its session. It only saves waiting for
 * the next poll: while the connection is lost, nothing but time is.
 */
export function createWakeChannel(options: { url: string; onWake: () => void; logger: Logger }): WakeChannel {
  const { url, onWake, logger } = options;
  const self = randomUUID();
  let connection: pg.Client | undefined;
  let hasNews = false;

  const connect = async () => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    });
    const forget = () => {
      if (connection === client) connection = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    client.on('notification', ({ payload }) => {
      if (payload !== self) onWake();
    });
    connection = client;
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    return client;
  };

  const close = async () => {
    const client = connection;
    connection = undefined;
    await client?.end().catch(() => {});
  };

  const worker = loop({
    name: 'wake channel',
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      try {
        const client = connection ?? (await connect());
        if (!hasNews) return false;
        hasNews = false;
        await client.query('select pg_notify($1, $2)', [CHANNEL, self]);
        return hasNews;
      } catch (error) {
        await close();
        throw error;
      }
    },
  });

  return {
    name: worker.name,
    start: () => worker.start(),
    async stop() {
      await worker.stop();
      await close();
    },
    announce() {
      hasNews = true;
      worker.wake();
    },
  };
}
