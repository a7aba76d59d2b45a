import type pg from 'pg';
import type { Database } from '../database.ts';

/** Writers of the outbox notify the active relay here. */
export const OUTBOX_CHANNEL = 'outbox';
/** The holder of this lock is the one active relay of the database. */
const RELAY_LOCK = 7_203_302;

export interface RelayConnection {
  client: pg.Client;
  /**
   * Ids that the broker has acknowledged and that are still to be marked. They end with the connection: under the same ids
   * another may find other events.
   */
  published: readonly number[];
  /** Whether this relay is the active one. Asked again each time until it is; then it stays so for the connection's life. */
  isActive(): Promise<boolean>;
  /** Whether it has been found to be the active one. */
  hasLock(): boolean;
  /** Tells the active relay, in whichever process, that there is something to publish. */
  notify(): Promise<void>;
  /** Resolves when the server goes away or the connection is closed: it is of no use from then on. */
  lost: Promise<void>;
  close(): Promise<void>;
}

/**
 * The relay's own connection: an advisory lock and a subscription live as long as their session, which a pool would
 * hand to others.
 */
export async function openRelayConnection(options: {
  database: Pick<Database, 'url' | 'Client' | 'bounds'>;
  onWake: () => void;
}): Promise<RelayConnection> {
  const { url, Client, bounds } = options.database;
  const client = new Client({ connectionString: url, ...bounds });
  const { promise: lost, resolve: onLost } = Promise.withResolvers<void>();
  client.on('error', () => onLost());
  client.on('end', () => onLost());
  client.on('notification', options.onWake);
  try {
    await client.connect();
    await client.query(`listen ${OUTBOX_CHANNEL}`);
    // A mark that a crash of the server forgets is an event that is published once more, as it always may be.
    await client.query('set synchronous_commit to off');
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  let hasLock = false;
  return {
    client,
    published: [],
    async isActive() {
      if (!hasLock) {
        const { rows } = await client.query<{ locked: boolean }>(
          'select pg_try_advisory_lock($1) as locked',
          [RELAY_LOCK],
        );
        hasLock = rows[0]?.locked === true;
      }
      return hasLock;
    },
    hasLock: () => hasLock,
    async notify() {
      await client.query(`notify ${OUTBOX_CHANNEL}`);
    },
    lost,
    async close() {
      await client.end();
    },
  };
}
