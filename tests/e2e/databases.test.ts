import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type DatabaseAccount, withDatabases } from '../../scripts/migrate/ensure-databases.ts';
import { engines } from '../support/index.ts';

describe("the services' databases", () => {
  const run = randomUUID().slice(0, 8);
  const accountOf = (service: string): DatabaseAccount => ({
    role: `${service}_${run}`,
    password: `it's "${service}"`,
    database: `${service}_${run}`,
  });
  const accounts = [accountOf('salon'), accountOf('bakery')] as const;
  const [salon, bakery] = accounts;

  const administrator = { role: `administrator_${run}`, password: 'earlier', database: 'postgres' };
  const ensure = (wanted: readonly DatabaseAccount[] = accounts) =>
    withDatabases(engines().databaseUrl, wanted, async () => {});

  /** The answer to the role when it connects: null when it is let in. */
  async function refusal({ role, password }: DatabaseAccount, database: string): Promise<string | null> {
    const { hostname: host, port } = new URL(engines().databaseUrl);
    const client = new pg.Client({ host, port: Number(port), user: role, password, database });
    try {
      await client.connect();
      await client.query('CREATE TABLE IF NOT EXISTS mine (id int)');
      return null;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.end();
    }
  }

  afterAll(async () => {
    const admin = new pg.Client({ connectionString: engines().databaseUrl });
    await admin.connect();
    for (const { role, database } of accounts) {
      await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
      await admin.query(`DROP ROLE IF EXISTS ${role}`);
    }
    await admin.query(`DROP OWNED BY ${administrator.role}`);
    await admin.query(`DROP ROLE ${administrator.role}`);
    await admin.end();
  });

  it('are created once, by however many jobs run at the same moment, and each role owns its own', async () => {
    await Promise.all([ensure(), ensure(), ensure()]);

    expect(await refusal(salon, salon.database)).toBeNull();
    expect(await refusal(bakery, bakery.database)).toBeNull();
  });

  it("let no service into another's database, nor into those that every server has", async () => {
    await ensure();

    for (const database of [bakery.database, 'postgres', 'template1']) {
      expect(await refusal(salon, database)).toMatch(/permission denied for database/);
    }
  });

  it('are in the hands of an administrator who gets a new password, where the server still knows the earlier one', async () => {
    await ensure();
    const admin = new pg.Client({ connectionString: engines().databaseUrl });
    await admin.connect();
    await admin.query(`CREATE ROLE ${administrator.role} SUPERUSER LOGIN PASSWORD 'earlier'`);
    await admin.end();
    const changed = { ...administrator, password: 'a new one' };
    const identity = { username: changed.role, password: encodeURIComponent(changed.password) };
    const { href } = Object.assign(new URL(engines().databaseUrl), identity);

    await expect(withDatabases(href, accounts, async () => {}, ['unknown'])).rejects.toThrow(/password/);
    const change = () => withDatabases(href, accounts, async () => {}, ['unknown', 'earlier']);
    await Promise.all([change(), change(), change()]);
    expect(await refusal(administrator, 'postgres')).toMatch(/password authentication failed/);
    expect(await refusal(changed, 'postgres')).toBeNull();
    await withDatabases(href, accounts, async () => {});
  });

  it('take a changed password, and forget the old one', async () => {
    await ensure();
    const changed = { ...salon, password: 'another' };
    await ensure([changed, bakery]);

    expect(await refusal(changed, salon.database)).toBeNull();
    expect(await refusal(salon, salon.database)).toMatch(/password authentication failed/);
  });
});
