import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, sharedMigrations, systemSql } from '@frontdesk/database';
import pg from 'pg';
import { makeCertificate, type TestCertificate } from '../../support/certificate.ts';
import { createTestDatabase, engines, eventually, logger, PATIENT_BOUNDS } from '../../support/index.ts';

const role = `frontdesk_secure_${randomUUID().slice(0, 8)}`;
const migrations = sharedMigrations;
const whoAmI = systemSql<{ role: string; encrypted: boolean }>(
  'who_am_i',
  'select current_user::text as role, ssl as encrypted from pg_stat_ssl where pid = pg_backend_pid()',
);
const openSockets = () => process.getActiveResourcesInfo().filter((type) => type === 'TCPSocketWrap').length;
const socketsBefore = openSockets();
const admin = new pg.Client({ connectionString: engines().databaseUrl });
let directory: string;
let passwordsFile: string;
let target: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'secure-'));
  passwordsFile = join(directory, 'engines.json');
  target = await createTestDatabase(migrations, 'secure');
  await admin.connect();
  await admin.query(`CREATE ROLE ${role} LOGIN`);
  await setPassword('first');
  const inside = new pg.Client({ connectionString: target.url });
  await inside.connect();
  await inside.query(`GRANT SELECT ON migrations TO ${role}`);
  await inside.query(`GRANT SELECT, INSERT ON cursor_keys TO ${role}`);
  await inside.end();
});
afterAll(async () => {
  await target.drop();
  await admin.query(`DROP OWNED BY ${role}`);
  await admin.query(`DROP ROLE ${role}`);
  await admin.end();
  await rm(directory, { recursive: true });
});

const setPassword = (password: string) =>
  admin.query(`ALTER ROLE ${role} PASSWORD ${pg.escapeLiteral(password)}`);
const writePasswords = (content: object) => writeFile(passwordsFile, JSON.stringify(content));

/** The target's URL with the role and no password. */
function urlWith(parameters: Record<string, string> = {}, user = role): string {
  const url = Object.assign(new URL(target.url), { username: user, password: '' });
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

const open = (url: string) =>
  createDatabase({ url, passwordsFile, migrations, logger, poolMax: 1, bounds: PATIENT_BOUNDS });

/** What a service that starts with this URL says. */
async function refusal(url: string, database = open(url)): Promise<string> {
  const message = await database.start().then(
    () => 'it has started',
    (error: Error) => error.message,
  );
  await database.stop();
  return message;
}

async function answer(url: string) {
  const database = open(url);
  await database.start();
  try {
    return await database.system.one(whoAmI);
  } finally {
    await database.stop();
  }
}

describe('a password from ENGINE_PASSWORDS_FILE', () => {
  it('is replaced while the service runs: the file, PostgreSQL, and no connection is refused in between', async () => {
    await setPassword('first');
    await writePasswords({ postgres: 'first' });
    expect(await answer(urlWith())).toMatchObject({ role });

    await writePasswords({ postgres: 'second', previous: { postgres: 'first' } });
    expect(await answer(urlWith())).toMatchObject({ role });
    await setPassword('second');
    expect(await answer(urlWith())).toMatchObject({ role });
    await writePasswords({ postgres: 'second' });
    expect(await answer(urlWith())).toMatchObject({ role });
  });

  it.each([
    [
      'a wrong password',
      () => urlWith(),
      /^DATABASE_URL, ENGINE_PASSWORDS_FILE: password authentication failed/,
    ],
    [
      'a wrong user',
      () => urlWith({}, 'nobody'),
      /^DATABASE_URL, ENGINE_PASSWORDS_FILE: password authentication/,
    ],
    [
      'no right to the database',
      () => urlWith().replace(/\/[^/]*$/, '/closed'),
      /^DATABASE_URL: database "closed"/,
    ],
  ])('ends the start in a line that names the variables: %s', async (_case, url, message) => {
    await writePasswords({ postgres: 'wrong' });
    if (message.source.includes('closed')) await setPassword('wrong');
    expect(await refusal(url())).toMatch(message);
  });
});

it('a database without a password is refused one, whatever file another database of the process has', async () => {
  await setPassword('first');
  await writePasswords({ postgres: 'first' });
  expect(await answer(urlWith())).toMatchObject({ role });
  const other = createDatabase({ url: urlWith(), migrations, logger, poolMax: 1, bounds: PATIENT_BOUNDS });
  expect(await refusal(urlWith(), other)).toMatch(/^DATABASE_URL: .*password must be a/);
  // All but the administrator's. PostgreSQL itself would end one that can't sign in after a minute.
  await eventually(() => expect(openSockets()).toBe(socketsBefore + 1), { timeoutMs: 30_000 });
});

describe('sslmode=verify-full', () => {
  let certificate: TestCertificate;
  let other: TestCertificate;
  beforeAll(async () => {
    [certificate, other] = await Promise.all([
      makeCertificate(),
      makeCertificate('DNS:elsewhere.example.com'),
    ]);
    await setPassword('first');
    await writePasswords({ postgres: 'first' });
    await present(certificate);
  });
  afterAll(async () => {
    for (const setting of ['ssl', 'ssl_cert_file', 'ssl_key_file'])
      await admin.query(`ALTER SYSTEM RESET ${setting}`);
    await admin.query('SELECT pg_reload_conf()');
    await Promise.all([certificate.remove(), other.remove()]);
  });

  /** The server writes the files itself: nobody else could write them where it may read them. */
  async function present({ cert, key }: TestCertificate): Promise<void> {
    for (const [setting, pem] of [
      ['ssl_cert_file', cert],
      ['ssl_key_file', key],
    ] as const) {
      const name = `test-${randomUUID()}.pem`;
      const lines = pem.trim().split('\n');
      await admin.query(
        `COPY (SELECT unnest(ARRAY[${lines.map((line) => pg.escapeLiteral(line)).join(',')}])) TO PROGRAM 'umask 077; cat > ${name}'`,
      );
      await admin.query(`ALTER SYSTEM SET ${setting} = '${name}'`);
    }
    await admin.query('ALTER SYSTEM SET ssl = on');
    await admin.query('SELECT pg_reload_conf()');
  }

  const verified = (authority: TestCertificate) =>
    urlWith({ sslmode: 'verify-full', sslrootcert: authority.certFile });

  it('encrypts, and trusts nobody but the authority, for the name that it certifies', async () => {
    await eventually(async () =>
      expect(await answer(verified(certificate))).toEqual({ role, encrypted: true }),
    );

    expect(await refusal(verified(other))).toMatch(/^DATABASE_URL: self-signed certificate/);
    expect(await refusal(urlWith({ sslmode: 'verify-full', sslrootcert: '/nowhere.pem' }))).toMatch(
      /^DATABASE_URL: ENOENT.*\/nowhere\.pem/,
    );
    await present(other);
    await eventually(async () =>
      expect(await refusal(verified(other))).toMatch(/^DATABASE_URL: .*does not match certificate/),
    );
  });
});
