import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Component, type Logger, loop } from '@frontdesk/service';
import pg from 'pg';
import { ENDPOINT_CHANGES } from '../data/endpoint.repository.ts';
import { LEASE_OWNERS } from '../data/lease.statements.ts';

const CHANNEL = 'deliveries';
/** Between looks at whether the session is still there. */
const INTERVAL_MS = 1_000;

export interface LeaseSession extends Component {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The number under which this process holds leases; null while it has no session, and so may hold none. */
  owner(): number | null;
  /** Notifies the other processes, after a commit, that there is something to deliver. Calls close together become one. */
  announce(): void;
}

/**
 * A connection that lives as long as the process: it holds the lock by which others see that this owner of leases is alive,
 * and it carries NOTIFY between processes. When it is lost, so are the leases: whatever is in flight may be sent by
 * another as well, and the next session is a new owner. A connection that breaks without a word says nothing by itself, so
 * it is asked each second.
 */
export function createLeaseSession(options: {
  url: string;
  /** Of which the connection is made. */
  Client?: typeof pg.Client;
  /** Another process has announced something, or this one may hold leases again. */
  onWake: () => void;
  /** The leases of this process are no longer its own: others may be sending what it holds. */
  onLost: () => void;
  /** An endpoint has been changed or ended, by whichever process. */
  onEndpointChanged: (endpointId: number) => void;
  /** Without an answer for so long, the session is given up. */
  timeoutMs: number;
  logger: Logger;
}): LeaseSession {
  const { url, Client = pg.Client, onWake, onLost, onEndpointChanged, timeoutMs, logger } = options;
  const self = randomUUID();
  let connection: pg.Client | undefined;
  let owner: number | null = null;
  let hasNews = false;

  const forgetSession = () => {
    const client = connection;
    connection = undefined;
    if (owner !== null) {
      owner = null;
      onLost();
    }
    return client;
  };

  const connect = async () => {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
    });
    const forget = () => {
      if (connection === client) forgetSession();
    };
    client.on('error', forget);
    client.on('end', forget);
    client.on('notification', ({ channel, payload }) => {
      if (channel === ENDPOINT_CHANGES) onEndpointChanged(Number(payload));
      else if (payload !== self) onWake();
    });
    connection = client;
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    await client.query(`listen ${ENDPOINT_CHANGES}`);
    const { rows } = await client.query<{ owner: number }>(
      `select owner, pg_advisory_lock($1, owner) from (select nextval('lease_owners')::integer as owner) next`,
      [LEASE_OWNERS],
    );
    if (connection === client) owner = rows[0]?.owner ?? null;
    onWake();
    return client;
  };

  const worker = loop({
    name: 'lease session',
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      try {
        const client = connection ?? (await connect());
        if (!hasNews) await client.query('select 1');
        else {
          hasNews = false;
          await client.query('select pg_notify($1, $2)', [CHANNEL, self]);
        }
        return hasNews;
      } catch (error) {
        // What has stopped answering doesn't say goodbye either.
        void forgetSession()
          ?.end()
          .catch(() => {});
        throw error;
      }
    },
  });

  return {
    name: worker.name,
    start: () => worker.start(),
    async stop() {
      await worker.stop();
      const client = forgetSession();
      if (client) await Promise.race([client.end().catch(() => {}), delay(timeoutMs, null, { ref: false })]);
    },
    owner: () => owner,
    announce() {
      hasNews = true;
      worker.wake();
    },
  };
}
