import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, startEngines } from '@frontdesk/local-stack';
import { createRedis, createRedisCluster, createSharedLimiter, setUsers } from '@frontdesk/redis';
import { createSecretBox, enginePasswords } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import {
  administratorPassword,
  ensureEnginePasswords,
} from '../../../../scripts/start/engines/engine-passwords.ts';
import { redisUsersFile } from '../../../../scripts/start/engines/redis-rights.ts';
import { keyFilesIn } from '../../../../scripts/start/keys/identity-keys.ts';
import { createFormTokens } from '../../../../services/settings-ui/src/changes/form-tokens.ts';
import { createSessions } from '../../../../services/settings-ui/src/session/session-store.ts';
import { makeCertificate, type TestCertificate } from '../../../support/certificate.ts';
import { engines, eventually, logger } from '../../../support/index.ts';
import { startRedisCluster } from '../../../support/redis-cluster.ts';

let directory: string;
let files: ReturnType<typeof keyFilesIn>;
let own: Awaited<ReturnType<typeof startEngines>>;
let [certificate, other]: TestCertificate[] = [];
const stops: (() => Promise<unknown> | undefined)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'redis-users-'));
  files = keyFilesIn(directory);
  await ensureEnginePasswords(files);
  const [redis = 0] = await freePorts(1);
  const { databaseUrl, kafkaBrokers } = engines();
  own = await startEngines({
    directory,
    ports: { postgres: 0, redis, kafka: 0, kafkaController: 0 },
    env: { ...process.env, DATABASE_URL: databaseUrl, KAFKA_BROKERS: kafkaBrokers, REDIS_URL: undefined },
    redisUsers: {
      aclFile: await redisUsersFile(files),
      administratorPassword: await administratorPassword('redis', files),
    },
    durable: false,
  });
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(async () => {
  await own.stop();
  await Promise.all([certificate?.remove(), other?.remove()]);
  await rm(directory, { recursive: true, force: true });
});

const urlAs = (username: string, password = '') =>
  Object.assign(new URL(own.redisUrl), { username, password }).href;

type Access = Partial<Parameters<typeof createRedis>[0]>;

/** As a service makes its connection. */
async function connect(service: 'gateway' | 'settings-ui', access: Access = {}) {
  const { redis, component } = createRedis({
    url: urlAs(service),
    passwordsFile: files.servicePasswords(service),
    service,
    name: 'test',
    timeoutMs: 60_000,
    logger,
    ...access,
  });
  stops.push(() => component.stop?.());
  await component.start?.();
  return { redis, component };
}

async function connected(service: 'gateway' | 'settings-ui', access?: Access): Promise<Redis> {
  const { redis, component } = await connect(service, access);
  await eventually(async () => expect(await component.ready?.()).toBeNull());
  return redis;
}

/** What ends the process of a service with this access. */
async function refusal(access: Access): Promise<string> {
  const messageOf = (error: Error) => error.message;
  const outcome = await connect('gateway', access).catch(messageOf);
  return typeof outcome === 'string' ? outcome : (outcome.component.refused?.catch(messageOf) ?? '');
}

describe("Redis's users", () => {
  it("reach their service's keys and channels, and nothing of another's, nor the server's settings", async () => {
    const gateway = await connected('gateway');
    const settings = await connected('settings-ui');
    await settings.set('settings:session:1', 'sealed', 'EX', 60);
    const forms = createFormTokens(settings);
    const form = { session: { tenantId: 7, token: 'a', csrfSecret: 'b' }, action: '/', formToken: 'c' };
    const taken = { outcome: 'taken', day: expect.any(Number) };
    expect(await forms.take(form)).toEqual(taken);
    await forms.release(form, Math.floor(Date.now() / 86_400_000));
    expect(await forms.take(form)).toEqual(taken);
    expect(await forms.take(form)).toEqual({ outcome: 'used' });
    expect(await settings.get('settings:session:1')).toBe('sealed');
    const sessions = createSessions(settings, createSecretBox([{ id: 'k1', key: Buffer.alloc(32, 1) }]));
    const proof = {
      accountId: 1,
      credentialsVersion: 1,
      sessionsVersion: 1,
      startedAt: Date.now(),
      confirmedAt: 0,
    };
    const token = await sessions.begin({ ...proof, tenantId: 7, adminId: 1, csrfSecret: 'b' });
    expect(await sessions.confirm(token, Date.now())).toBe(true);
    expect(await sessions.list(proof)).toHaveLength(1);
    await sessions.end(token);
    expect(await sessions.find(token)).toBeNull();
    expect(await gateway.publish('gateway:access-changed', '1')).toBe(0);

    const window = { seconds: 60, limit: 2 };
    const [ofGateway, ofSettings] = [createSharedLimiter(gateway), createSharedLimiter(settings)];
    expect((await ofGateway.take('tenant:1', window)).isGranted).toBe(true);
    const attempt = await ofSettings.take('sign-in-email:1', window);
    expect(attempt.isGranted).toBe(true);
    await ofSettings.giveBack('sign-in-email:1', window, attempt);

    const denied = [
      () => ofGateway.take('sign-in-email:1', window),
      () => ofSettings.take('tenant:1', window),
      () => gateway.mget('settings:session:1'),
      () => gateway.hincrby('settings:form:1', 'a', 1),
      () => gateway.eval("return redis.call('MGET', 'settings:session:1')", 0),
      () => gateway.eval("return redis.call('INCRBY', KEYS[1], 1)", 1, 'rate:{sign-in-email:1}'),
      () => settings.get('requests:{tenant-1}:1'),
      () => settings.set('rate:{tenant:1}:minute:1', '0'),
      () => settings.publish('gateway:access-changed', '1'),
      () => gateway.keys('*'),
      () => gateway.config('GET', '*'),
      () => gateway.flushall(),
      () => gateway.acl('LIST'),
    ];
    for (const attempt of denied)
      await expect(attempt()).rejects.toThrow(/NOPERM|The user executing the script can't access/);
  });

  it('reach a cluster, too, and count there', async () => {
    const aclFile = join(directory, 'cluster.acl');
    await writeFile(aclFile, await redisUsersFile(files));
    const cluster = await startRedisCluster({
      aclFile,
      administratorPassword: await administratorPassword('redis', files),
    });
    const { redis, component } = createRedisCluster({
      url: Object.assign(new URL(cluster.url), { username: 'gateway' }).href,
      passwordsFile: files.servicePasswords('gateway'),
      service: 'gateway',
      name: 'test',
      keys: ['rate:{tenant:0}', 'requests:0'],
      timeoutMs: 60_000,
      logger,
    });
    stops.push(cluster.stop, () => component.stop?.());
    await component.start?.();
    await eventually(async () => expect(await component.ready?.()).toBeNull());
    const { take } = createSharedLimiter(redis);
    const window = { seconds: 3_600, limit: 1 };
    const subjects = Array.from({ length: 30 }, (_, n) => `tenant:${n + 1}`);
    const grants = await Promise.all(subjects.map((subject) => take(subject, window)));
    expect(grants.map(({ isGranted }) => isGranted)).toEqual(Array(30).fill(true));
    for (const node of cluster.nodes) expect(await node.dbsize()).toBeGreaterThan(0);
    await expect(take('sign-in-email:1', window)).rejects.toThrow(/NOPERM/);
  });

  it('are all there are: without a user nothing is answered', async () => {
    expect(await refusal({ url: urlAs('') })).toMatch(/^REDIS_URL: .*NOAUTH/);
  });

  it.each<[string, () => Access, RegExp]>([
    ['a wrong user', () => ({ url: urlAs('nobody') }), /^REDIS_URL, ENGINE_PASSWORDS_FILE: WRONGPASS/],
    ['a wrong password', () => ({ url: urlAs('gateway', 'wrong') }), /^REDIS_URL: WRONGPASS/],
    ['no right to a key', () => ({ keys: ['settings:session:1'] }), /^REDIS_URL: NOPERM/],
    [
      'an authority without TLS',
      () => ({ caFile: '/nowhere.pem' }),
      /^REDIS_CA_FILE: REDIS_URL must begin with/,
    ],
    ['no password', () => ({ passwordsFile: '/nowhere.json' }), /^ENGINE_PASSWORDS_FILE: .* can't be read/],
  ])('end the start in a line that names the variable: %s', async (_case, access, message) => {
    expect(await refusal(access())).toMatch(message);
  });

  it('are let in by the earlier password, while Redis knows no other one yet', async () => {
    const [earlier] = enginePasswords(files.servicePasswords('gateway'), 'redis');
    const passwordsFile = join(directory, 'replaced.json');
    const write = (redis: string, previous: string) =>
      writeFile(passwordsFile, JSON.stringify({ redis, previous: { redis: previous } }));
    await write('new', earlier);
    expect(await (await connected('gateway', { passwordsFile })).ping()).toBe('PONG');

    await write('new', 'unknown');
    expect(await refusal({ passwordsFile })).toMatch(/^REDIS_URL, ENGINE_PASSWORDS_FILE: WRONGPASS/);
  });

  it('take a new password beside the old one, and lose no connection', async () => {
    const gateway = await connected('gateway');
    const closed = jest.fn();
    gateway.on('close', closed);
    const added = (await redisUsersFile(files)).replace(/user gateway on/, '$& >added');
    await setUsers(own.redisUrl, added);

    expect(await gateway.ping()).toBe('PONG');
    await connected('gateway');
    await connected('gateway', {
      url: urlAs('gateway', 'added'),
    });
    expect(closed).not.toHaveBeenCalled();
  });
});

describe('rediss://', () => {
  let url: string;
  beforeAll(async () => {
    [certificate, other] = await Promise.all([makeCertificate(), makeCertificate()]);
    const [port = 0] = await freePorts(1);
    const aclFile = join(directory, 'tls.acl');
    await writeFile(aclFile, await redisUsersFile(files));
    const words = {
      'tls-port': port,
      port: 0,
      'tls-cert-file': certificate.certFile,
      'tls-key-file': certificate.keyFile,
    };
    const options = { ...words, 'tls-auth-clients': 'no', bind: '127.0.0.1', save: '', aclfile: aclFile };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const server = spawn('redis-server', args, { stdio: 'ignore', cwd: directory });
    const ended = new Promise((resolve) => server.once('exit', resolve));
    afterAllStops.push(async () => {
      server.kill();
      await ended;
    });
    url = `rediss://gateway@127.0.0.1:${port}`;
  });
  const afterAllStops: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const stop of afterAllStops) await stop();
  });

  it('encrypts, and trusts nobody but the authority of REDIS_CA_FILE', async () => {
    const redis = await connected('gateway', { url, caFile: certificate?.certFile });
    expect(await redis.ping()).toBe('PONG');

    expect(await refusal({ url, caFile: other?.certFile })).toMatch(
      /^REDIS_CA_FILE: self-signed certificate/,
    );
    expect(await refusal({ url, caFile: '/nowhere.pem' })).toMatch(/^REDIS_CA_FILE: ENOENT/);
    expect(await refusal({ url })).toMatch(/^REDIS_URL: self-signed certificate/);
  });
});
