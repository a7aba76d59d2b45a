import { randomUUID } from 'node:crypto';
import { endsWithin } from '@frontdesk/fair';
import { type Component, type Logger, loop } from '@frontdesk/service';
import pg from 'pg';
import { ENDPOINT_CHANGES } from '../endpoints/endpoint.repository.ts';
import { LEASE_OWNERS } from '../queue/lease.statements.ts';

const CHANNEL = 'deliveries';
/** Between looks at whether the session is still there. */
const INTERVAL_MS = 1_000;

/** Who seesTranscripts of what other processes announce. */
export interface LeaseListener {
  /** There is something to deliver, or this process may hold leases again. */
  wake(): void;
  /** An endpoint has been changed or ended, by whichever process: what is being claimed for it goes by its old state. */
  endpointChanged(endpointId: number): void;
}

export interface LeaseSession extends Component {
  start(): Promise<void>;
  stop(): Promise<void>;
  listen(listener: LeaseListener): void;
  /** The number under which this process holds leases; null while it has no session, and so may hold none. */
  owner(): number | null;
  /** Notifies the other processes, after a commit, that there is something to deliver. Calls close together become one. */
  announce(): void;
}

/**
 * A connection that lives as long as the process: it holds the lock by which others see that this owner of leases is alive,
 * and it carries NOTIFY between processes. When it is lost, so are the leases: attempts under way continue, and their results count
 * until the leases are freed; then they are sent once more, by this process or another. The next session is a new owner. A connection that breaks without a word says nothing by itself, so
 * it is asked each second.
 */
export function createLeaseSession(options: {
  url: string;
  /** Of which the connection is made. */
  Client?: typeof pg.Client;
  /** Without an answer for so long, the session is given up. */
  timeoutMs: number;
  logger: Logger;
}): LeaseSession {
  const { url, Client = pg.Client, timeoutMs, logger } = options;
  const self = randomUUID();
  const listeners: LeaseListener[] = [];
  let connection: pg.Client | undefined;
  let owner: number | null = null;
  let hasNews = false;

  const wakeAll = () => {
    for (const listener of listeners) listener.wake();
  };
  const forgetSession = () => {
    const client = connection;
    connection = undefined;
    owner = null;
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
      if (channel === ENDPOINT_CHANGES)
        for (const listener of listeners) listener.endpointChanged(Number(payload));
      else if (payload !== self) wakeAll();
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
    wakeAll();
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
      if (client) await endsWithin(timeoutMs, client.end());
    },
    listen: (listener) => void listeners.push(listener),
    owner: () => owner,
    announce() {
      hasNews = true;
      worker.wake();
    },
  };
}
