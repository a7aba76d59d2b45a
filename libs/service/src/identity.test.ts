import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IDENTITY_HEADER, type Issuer } from '@frontdesk/contracts';
import { importJWK, type JWK, SignJWT } from 'jose';
import { createApp } from './app.ts';
import { createIdentityKeys, createIdentitySigner, createIdentityVerifier } from './identity.ts';
import { createLogger } from './logging.ts';
import { createMetrics } from './metrics.ts';
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
    expect(await (await verifier()).verify(token)).toEqual({
      issuer: 'gateway',
      role: 'integrator',
      tenantId: 7,
      keyId: 9,
      plan: 'pro',
    });
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
    ['that is no token', async () => 'abc.def.ghi'],
    ['that is unsigned', async () => 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJnYXRld2F5IiwiYXVkIjoiY3JtIn0.'],
  ])('%s is refused', async (_name, makeToken) => {
    await expect((await verifier()).verify(await makeToken())).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });
});

describe('routes behind requireIdentity', () => {
  const createInternal = async () => {
    const app = createApp({
      logger: createLogger({ name: 'test', level: 'silent' }),
      metrics: createMetrics(),
    });
    requireIdentity(app, { verifier: await verifier(), roles: ['operator', 'admin'] });
    app.get('/internal/tenants/:tenant_id/things', async (request) => ({ tenant: request.tenantId }));
    return app;
  };
  const get = async (token: string | undefined, tenant = '7') => {
    const app = await createInternal();
    const headers = token === undefined ? {} : { [IDENTITY_HEADER]: token };
    const answer = await app.inject({ url: `/internal/tenants/${tenant}/things`, headers });
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

  it('404: an admin sees only their own tenant', async () => {
    const token = await (await signerOf('settings-ui')).sign({ audience: 'crm', role: 'admin', tenantId: 7 });
    expect((await get(token)).json()).toEqual({ tenant: 7 });
    expect((await get(token, '8')).statusCode).toBe(404);
    expect((await get(token, 'abc')).statusCode).toBe(404);
  });
});
