import { Client } from 'pg';
import { expectIndexes } from '../../support/expect-indexes.ts';
import { bearer, type GatewayWorld, get, operator, startGatewayWorld } from './gateway-world.ts';

const TENANTS = 50_000;
const TABLES = ['tenants', 'api_keys'];
const yesterday = new Date(Date.now() - 86_400_000).toISOString();
const FILL = [
  `insert into tenants (name, plan, timezone, country, currency, updated_at)
   select 'Tenant ' || n, 'pro', 'Europe/Berlin', 'DE', 'EUR', now() - n * interval '1 min' from generate_series(1, ${TENANTS}) n`,
  `insert into api_keys (tenant_id, name, key_hash, last_four)
   select tenant_id, 'Sync', sha256(tenant_id::text::bytea), '0000' from tenants`,
  'vacuum analyze',
];

let world: GatewayWorld;
let client: Client;
beforeAll(async () => {
  world = await startGatewayWorld();
  client = new Client({ connectionString: world.database.url });
  await client.connect();
  for (const statement of FILL) await client.query(statement);
});
afterAll(async () => {
  await client.end();
  await world.stop();
});

it('an index stands behind everything that is read of 50,000 tenants and their keys', async () => {
  const sent = ['api_key_access', 'api_key_used', 'tenant_lock', 'tenant_page_-id'];
  // How many tenants there are in all is known by counting them.
  const readsWhole = ['tenant_page_count'];
  await expectIndexes(client, { tables: TABLES, sent, readsWhole }, async () => {
    const gateway = await world.startGateway();
    const ask = async (method: string, path: string, body?: object) =>
      expect((await world.internal(gateway, operator, method, path, body)).status).toBeLessThan(300);
    const { tenantId, id, key } = await world.newCaller(gateway);
    const tenant = `/internal/tenants/${tenantId}`;
    expect((await get(gateway, '/api/v1/staff', bearer(key))).status).toBe(200);
    for (const query of ['', '?sort=updated_at', '?sort=-updated_at', `?updated_since=${yesterday}`])
      await ask('GET', `/internal/tenants${query}`);
    for (const path of ['', '/keys', '/usage', '/quota-usage']) await ask('GET', `${tenant}${path}`);
    await ask('PATCH', tenant, { name: 'Barber' });
    await ask('POST', `${tenant}/keys/${id}/revoke`);
    await ask('DELETE', `${tenant}/keys/${id}`);
    // Which keys were used is written at the stop.
    await gateway.stop();
  });
});
