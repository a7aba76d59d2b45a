import { createDatabase } from '@frontdesk/database';
import { Client } from 'pg';
import { createRetentionWorker } from '../../../../services/settings-ui/src/audit/retention.worker.ts';
import { migrations } from '../../../../services/settings-ui/src/migrations/index.ts';
import { createTestDatabase, logger, PATIENT_BOUNDS } from '../../../support/index.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: Client;

beforeEach(async () => {
  database = await createTestDatabase(migrations, 'settings-ui');
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const rows = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;

/** One turn. */
async function removeOld(): Promise<void> {
  const own = createDatabase({ url: database.url, migrations, logger, bounds: PATIENT_BOUNDS });
  await own.start();
  const worker = createRetentionWorker({ database: own, logger });
  await worker.start?.();
  // Waits for the turn under way.
  await worker.stop?.();
  await own.stop();
}

it('links are removed once they have expired; the others, and an invitation that was renewed, stay', async () => {
  await rows(
    "insert into accounts (id, email, email_folded, password_hash) values (7, 'ada', 'ada', 'hash')",
  );
  await rows('insert into memberships (tenant_id, id, account_id) values (1, 7, 7)');
  await rows(`insert into admin_invitations (tenant_id, id, email, email_folded, invited_by, expires_at)
    overriding system value values (1, 3, 'eve', 'eve', 7, now() + interval '7 days')`);
  for (const [name, lasts] of [
    ['good', '1 minute'],
    ['old', '-1 minute'],
  ]) {
    await rows(
      "insert into account_links (token_hash, account_id, purpose, expires_at) values ($1, 7, 'reset', now() + $2::interval)",
      [name, lasts],
    );
    await rows(
      'insert into invitation_links (tenant_id, invitation_id, token_hash, expires_at) values (1, 3, $1, now() + $2::interval)',
      [name, lasts],
    );
  }
  await removeOld();
  expect(await rows('select token_hash from account_links')).toEqual([{ token_hash: 'good' }]);
  expect(await rows('select token_hash from invitation_links')).toEqual([{ token_hash: 'good' }]);
  expect(await rows('select id::int from admin_invitations')).toEqual([{ id: 3 }]);
});
