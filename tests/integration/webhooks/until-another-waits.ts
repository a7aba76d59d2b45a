import type { Client } from 'pg';
import { eventually } from '../../support/index.ts';

/** Waits until another session waits for this client's transaction. */
export const untilAnotherWaitsFor = (client: Client) =>
  eventually(async () => {
    const { rowCount } = await client.query(
      'select from pg_locks where not granted and transactionid = pg_current_xact_id()::xid',
    );
    expect(rowCount).toBeGreaterThan(0);
  });
