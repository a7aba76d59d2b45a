import type { ApiKey } from '@frontdesk/contracts';
import { ADMIN, operatorBy } from '../../e2e/support/operator.ts';
import { identityKeys } from '../../support/index.ts';
import { type GatewayWorld, startGatewayWorld } from '../gateway/gateway-world.ts';

describe('npm run admin -- key', () => {
  let world: GatewayWorld;
  let json: (words: string) => Promise<ApiKey>;
  let tenantId: number;
  beforeAll(async () => {
    world = await startGatewayWorld();
    const gateway = await world.startGateway();
    tenantId = await world.newTenant(gateway);
    const operator = operatorBy(ADMIN, {
      PATH: process.env.PATH,
      OPERATOR_KEY_FILE: identityKeys().privateKeyFile('operator'),
      GATEWAY_INTERNAL_URL: gateway.internalUrl,
    });
    json = (words) => operator.json<ApiKey>(['key', ...words.split(' '), '--tenant', String(tenantId)]);
  });
  afterAll(() => world.stop());

  it('create and change bound a key, and take its end and its networks away again', async () => {
    const { id, ...made } = await json(
      'create --name Sync --expires 2099-01-31T00:00:00Z --networks 203.0.113.0/24 198.51.100.7',
    );
    expect(made).toMatchObject({
      expires_at: '2099-01-31T00:00:00.000Z',
      networks: ['203.0.113.0/24', '198.51.100.7'],
    });
    expect(await json(`change ${id} --networks any`)).toMatchObject({
      expires_at: made.expires_at,
      networks: null,
    });
    expect(await json(`change ${id} --expires never`)).toMatchObject({ expires_at: null, networks: null });
  });
});
