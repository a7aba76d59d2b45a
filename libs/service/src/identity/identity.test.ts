import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  IDENTITY_HEADER,
  type Issuer,
  MAX_ACTOR,
  SCOPES_OF_EARLIER_KEYS,
  type Scope,
} from '@frontdesk/contracts';
import { importJWK, type JWK, SignJWT } from 'jose';
import { pino } from 'pino';
import { createApp } from '../http/app.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createLogger } from '../run/logging.ts';
import { createIdentityKeys, createIdentitySigner, createIdentityVerifier } from './identity.ts';
import { requireIdentity } from './require-identity.ts';

let directory: string;
let keys: Awaited<ReturnType<typeof createIdentityKeys>>;
const file = (name: string) => join(directory, `${name}.json`);
const signerOf = (issuer: Issuer) => createIdentitySigner({ issuer, privateKeyFile: file(issuer) });
const verifier = () => createIdentityVerifier({ audience: 'crm', publicKeysFile: file('public') });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'identity-'));
  keys = await createIdentityKeys();
  const files = Object.entries({ ...keys.privateKeys, public: keys.publicKeys });
  await Promise.all(files.map(([name, key]) => writeFile(file(name), JSON.stringify(key))));
});
afterAll(() => rm(directory, { recursive: true }));

async function forge(issuer: Issuer, claims: object, edit: (token: SignJWT) => SignJWT = (token) => token) {
  const key = await importJWK(keys.privateKeys[issuer] as JWK, 'EdDSA');
  const token = new SignJWT({ role: 'integrator', tenant_id: 1, ...claims })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setIssuer('gateway')
    .setAudience('crm')
    .setIssuedAt()
    .setExpirationTime('60s');
  return edit(token).sign(key);
}

describe('a signed identity', () => {
  it('arrives as it was signed, and is minted once for the same claims', async () => {
    const signer = await signerOf('gateway');
    const request = { audience: 'crm', role: 'integrator', tenantId: 7, keyId: 9, plan: 'pro' } as const;
    const token = await signer.sign(request);
    expect(await signer.sign({ ...request })).toBe(token);
    expect(await signer.sign({ ...request, tenantId: 8 })).not.toBe(token);
    expect(await signer.sign({ ...request, userId: 3 })).not.toBe(token);
    expect(await (await verifier()).verify(token)).toEqual({
      issuer: 'gateway',
      role: 'integrator',
      tenantId: 7,
      keyId: 9,
      plan: 'pro',
      // Those of a process of the release before, which names none.
      scopes: new Set(SCOPES_OF_EARLIER_KEYS),
    });
  });

  it('says what its key may do, and is another one once that changes', async () => {
    const signer = await signerOf('gateway');
    const narrow = { audience: 'crm', role: 'integrator', tenantId: 7, keyId: 9 } as const;
    const token = await signer.sign({ ...narrow, scopes: ['customers:read'] });
    expect(await signer.sign({ ...narrow, scopes: ['customers:read'] })).toBe(token);
    for (const scopes of [undefined, [], ['calls:read'], ['customers:read', 'calls:read']] as const)
      expect(await signer.sign({ ...narrow, scopes })).not.toBe(token);
    const none = signer.sign({ ...narrow, scopes: [] });
    expect(await none).not.toBe(await signer.sign(narrow));
    expect((await (await verifier()).verify(token)).scopes).toEqual(new Set(['customers:read']));
    expect((await (await verifier()).verify(await none)).scopes).toEqual(new Set());
  });

  it('of scopes of a later release is good for what this one knows of them', async () => {
    const token = await forge('gateway', { scopes: ['customers:read', 'moon:land'] });
    expect((await (await verifier()).verify(token)).scopes.has('customers:read')).toBe(true);
  });

  it('names the admin who uses the pages', async () => {
    const request = { audience: 'crm', role: 'admin', tenantId: 7, userId: 3 } as const;
    const token = await (await signerOf('settings-ui')).sign(request);
    expect(await (await verifier()).verify(token)).toMatchObject({ role: 'admin', tenantId: 7, userId: 3 });
  });

  it.each([
    ['of another audience', () => forge('gateway', {}, (token) => token.setAudience('scheduling'))],
    ['signed by another issuer’s key', () => forge('operator', {})],
    ['of a role that is not its issuer’s to give', () => forge('gateway', { role: 'operator' })],
    ['of an unknown issuer', () => forge('gateway', {}, (token) => token.setIssuer('nobody'))],
    ['that has expired', () => forge('gateway', {}, (token) => token.setExpirationTime('-10s'))],
    [
      'that claims to live for an hour, from an hour ago',
      () => forge('gateway', {}, (token) => token.setIssuedAt('-1h').setExpirationTime('1h')),
    ],
    ['whose scopes are no list', () => forge('gateway', { scopes: 'customers:read' })],
    ['whose user is no id', () => forge('gateway', { user_id: '3' })],
    ['that is no token', async () => 'abc.def.ghi'],
    ['that is unsigned', async () => 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJnYXRld2F5IiwiYXVkIjoiY3JtIn0.'],
  ])('%s is refused', async (_name, makeToken) => {
    await expect((await verifier()).verify(await makeToken())).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });
});

it('an issuer of an earlier release is trusted by nobody, although its public key is still there', async () => {
  const signed = (token: SignJWT) => token.setIssuer('webhooks');
  // The gateway's key in its name: the signature is right.
  const withWebhooks = { ...keys.publicKeys, webhooks: keys.publicKeys.gateway };
  await writeFile(file('earlier-public'), JSON.stringify(withWebhooks));
  const earlier = await createIdentityVerifier({ audience: 'crm', publicKeysFile: file('earlier-public') });
  expect(earlier.keyCounts()).toContainEqual({ issuer: 'webhooks', keys: 1 });
  await earlier.verify(await forge('gateway', {}));
  for (const role of ['service', 'integrator'])
    await expect(earlier.verify(await forge('gateway', { role }, signed))).rejects.toMatchObject({
      code: 'unauthorized',
    });
});

describe('whom the operator’s key names', () => {
  const named = (actor: unknown) => forge('gateway', { actor });

  it.each(['', 'alice', 'Zoë O’Neil-Müller', '山田 太郎', '👩 x', 'x'.repeat(MAX_ACTOR)])(
    '%j is taken',
    async (actor) => {
      expect((await (await verifier()).verify(await named(actor))).actor).toBe(actor);
    },
  );

  it.each([
    ...[
      'a\nb',
      'a\rb',
      'a\u0000',
      '\u001b[31m',
      'a\u0085b',
      'a\u2028b',
      'a\u2029b',
      '\u202eecila',
      'a\u200bb',
    ],
    ...['x'.repeat(MAX_ACTOR + 1), 7, true, null, {}, ['alice']],
  ])('%j is refused', async (actor) => {
    await expect((await verifier()).verify(await named(actor))).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });
});

describe('keys that are replaced while processes run', () => {
  const SECOND_MS = 1_000;
  const later = async (name: string, content: object | string) => {
    await writeFile(file(name), typeof content === 'string' ? content : JSON.stringify(content));
    jest.advanceTimersByTime(SECOND_MS);
  };
  const fresh = async () => {
    const { privateKeys, publicKeys } = await createIdentityKeys();
    return { privateKey: privateKeys.gateway, publicKey: publicKeys.gateway };
  };
  const request = { audience: 'crm', role: 'integrator', tenantId: 7 } as const;

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'Date'] });
    await later('replaced', keys.privateKeys.gateway);
    await later('replaced-public', keys.publicKeys);
  });
  afterEach(() => jest.useRealTimers());

  const replaced = async (logger?: { error: jest.Mock }) => ({
    signer: await createIdentitySigner({ issuer: 'gateway', privateKeyFile: file('replaced'), logger }),
    verifier: await createIdentityVerifier({
      audience: 'crm',
      publicKeysFile: file('replaced-public'),
      logger,
    }),
  });

  it('no token is refused on the way, and those of the earlier key are at its end', async () => {
    const { signer, verifier } = await replaced();
    const earlier = await signer.sign(request);
    await verifier.verify(earlier);
    const { privateKey, publicKey } = await fresh();

    await later('replaced-public', { ...keys.publicKeys, gateway: [keys.publicKeys.gateway, publicKey] });
    expect(verifier.keyCounts()).toContainEqual({ issuer: 'gateway', keys: 2 });
    await verifier.verify(earlier);
    await later('replaced', privateKey);
    const next = await signer.sign(request);
    expect(next).not.toBe(earlier);
    expect(await verifier.verify(next)).toMatchObject({ issuer: 'gateway', tenantId: 7 });
    await verifier.verify(earlier);

    await later('replaced-public', { ...keys.publicKeys, gateway: publicKey });
    await verifier.verify(next);
    await expect(verifier.verify(earlier)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('two keys of one issuer don’t vouch for another issuer', async () => {
    const { privateKey, publicKey } = await fresh();
    await later('replaced-public', { ...keys.publicKeys, operator: [keys.publicKeys.operator, publicKey] });
    await later('replaced', privateKey);
    const { signer, verifier } = await replaced();
    await expect(verifier.verify(await signer.sign(request))).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  it.each(['', '{"gateway": ', '{"gateway": {"kty": "RSA"}}', '{"gateway": []}', 'null'])(
    'a file that holds %p leaves the keys in force, and is named without what is in it',
    async (damaged) => {
      const logger = { error: jest.fn() };
      const { signer, verifier } = await replaced(logger);
      await later('replaced', damaged);
      await later('replaced-public', damaged);
      await verifier.verify(await signer.sign(request));
      jest.advanceTimersByTime(SECOND_MS);
      await verifier.verify(await signer.sign({ ...request, tenantId: 8 }));
      expect(logger.error.mock.calls).toEqual([
        [{ file: file('replaced') }, expect.stringContaining('must hold a private Ed25519 key')],
        [{ file: file('replaced-public') }, expect.stringContaining('must hold an Ed25519 key')],
      ]);
      await expect(replaced()).rejects.toThrow('must hold');
    },
  );
});

describe('routes behind requireIdentity', () => {
  const createInternal = async () => {
    const app = createApp({
      logger: createLogger({ name: 'test', level: 'silent' }),
      metrics: createMetrics(),
    });
    requireIdentity(app, { verifier: await verifier(), roles: ['operator', 'admin'] });
    const at = (what: string) => `/internal/tenants/:tenant_id/${what}` as const;
    app.get(at('things'), { config: { scope: 'staff:read' } }, async ({ tenantId }) => ({
      tenant: tenantId,
    }));
    app.get(at('name'), { config: { scope: null } }, async ({ tenantId }) => ({ tenant: tenantId }));
    app.get(at('undeclared'), async ({ tenantId }) => ({ tenant: tenantId }));
    return app;
  };
  const get = async (token: string | undefined, tenant = '7', what = 'things') => {
    const app = await createInternal();
    const headers = token === undefined ? {} : { [IDENTITY_HEADER]: token };
    const answer = await app.inject({ url: `/internal/tenants/${tenant}/${what}`, headers });
    await app.close();
    return answer;
  };

  it('401 without an identity, also on paths that do not exist', async () => {
    expect((await get(undefined)).statusCode).toBe(401);
  });

  it('403: an integrator opens no internal route', async () => {
    const token = await (await signerOf('gateway')).sign({
      audience: 'crm',
      role: 'integrator',
      tenantId: 7,
    });
    expect((await get(token)).statusCode).toBe(403);
  });

  it('200: an operator names any tenant', async () => {
    const token = await (await signerOf('operator')).sign({ audience: 'crm', role: 'operator' });
    expect((await get(token)).json()).toEqual({ tenant: 7 });
  });

  it('the one log line names issuer and role, also of those who are refused, and no token', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
    const app = createApp({ logger, metrics: createMetrics() });
    requireIdentity(app, { verifier: await verifier(), roles: ['operator'] });
    app.get('/internal/tenants/:tenant_id/things', async () => 'fine');
    const url = '/internal/tenants/7/things';
    for (const [issuer, role] of [
      ['operator', 'operator'],
      ['calls', 'service'],
    ] as const) {
      const token = await (await signerOf(issuer)).sign({ audience: 'crm', role });
      await app.inject({ url, headers: { [IDENTITY_HEADER]: token } });
      expect(JSON.stringify(lines)).not.toContain(token);
    }
    await app.inject(url);
    await app.close();
    // An injected request closes before its answer is written out, and has a line of that, too.
    const answered = lines.filter(({ status }) => status !== 499);
    expect(answered).toEqual([
      expect.objectContaining({ status: 200, tenant_id: 7, issuer: 'operator', role: 'operator' }),
      expect.objectContaining({ status: 403, issuer: 'calls', role: 'service' }),
      expect.objectContaining({ status: 401 }),
    ]);
    expect(answered[2]).not.toHaveProperty('issuer');
  });

  it('404: an admin sees only their own tenant', async () => {
    const token = await (await signerOf('settings-ui')).sign({ audience: 'crm', role: 'admin', tenantId: 7 });
    expect((await get(token)).json()).toEqual({ tenant: 7 });
    expect((await get(token, '8')).statusCode).toBe(404);
    expect((await get(token, 'abc')).statusCode).toBe(404);
  });

  describe('hold admins to what they may do', () => {
    const admin = { audience: 'crm', role: 'admin', tenantId: 7 } as const;
    const asked = async (what: string, scopes: readonly Scope[] | undefined) =>
      get(await (await signerOf('settings-ui')).sign({ ...admin, scopes }), '7', what);

    it('403 insufficient_scope names what is lacking', async () => {
      const answer = await asked('things', ['services:read']);
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toMatchObject({ code: 'insufficient_scope', data: { scope: 'staff:read' } });
      expect(answer.headers['www-authenticate']).toBe(
        'Bearer error="insufficient_scope", scope="staff:read"',
      );
    });

    it.each([
      ['things', ['staff:read'], 200],
      ['things', [], 403],
      ['name', [], 200],
      // Of a process of the release before.
      ['things', undefined, 200],
      ['undeclared', undefined, 403],
    ] as const)('%s with %j: %i', async (what, scopes, status) => {
      expect((await asked(what, scopes)).statusCode).toBe(status);
    });

    it('and not operators, whom the table of access holds', async () => {
      const token = await (await signerOf('operator')).sign({ audience: 'crm', role: 'operator' });
      for (const what of ['things', 'name', 'undeclared'])
        expect((await get(token, '7', what)).statusCode).toBe(200);
    });
  });
});
