import { createHash } from 'node:crypto';
import { generateApiKey, MAX_KEY_NETWORKS, SCOPES_OF_EARLIER_KEYS } from '@frontdesk/contracts';
import type { Pool } from 'undici';
import type { BenchEnvironment } from '../support/environment.ts';
import type { Call } from '../support/load.ts';

const PATH = '/api/v1/customers';

/** As many networks as a key may have; requests of a bench come from the last of them. */
const NETWORKS = [...Array.from({ length: MAX_KEY_NETWORKS - 1 }, (_, n) => `10.${n}.0.0/16`), '127.0.0.0/8'];

/**
 * Tenants on the largest plan, each with a key, straight into the gateway's database. @returns the keys
 * @param areNarrow with a single scope, and from as many networks as there may be
 */
export async function addCallers(
  environment: BenchEnvironment,
  tenants: number,
  { areNarrow = false } = {},
): Promise<string[]> {
  const keys = Array.from({ length: tenants }, generateApiKey);
  await environment.withClient(async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into tenants (name, plan, timezone, country, currency)
       select 'Bench', 'enterprise', 'Europe/Berlin', 'DE', 'EUR' from generate_series(1, $1) returning tenant_id as id`,
      [tenants],
    );
    await client.query(
      `insert into api_keys (tenant_id, name, key_hash, last_four, scopes, networks)
       select id, 'Bench', decode(hash, 'hex'), 'xxxx', $3, $4 from unnest($1::bigint[], $2::text[]) as keys (id, hash)`,
      [
        keys.map((_, n) => rows[n]?.id),
        keys.map((key) => createHash('sha256').update(key).digest('hex')),
        areNarrow ? ['customers:read'] : SCOPES_OF_EARLIER_KEYS,
        areNarrow ? NETWORKS : null,
      ],
    );
    await client.query('analyze');
  });
  return keys;
}

/**
 * Requests of an integrator, the keys taking turns; only an answer of the backend counts. @returns the bytes that came
 * @param encoding that the client accepts
 */
export function callsWith(
  pool: Pool,
  keys: readonly string[],
  { path = PATH, encoding }: { path?: string; encoding?: string | undefined } = {},
): Call {
  return async (n) => {
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: `${path}?page=1&per_page=20`,
      headers: {
        accept: 'application/json',
        'user-agent': 'bench',
        authorization: `Bearer ${keys[n % keys.length]}`,
        ...(encoding !== undefined && { 'accept-encoding': encoding }),
      },
    });
    const content = await body.arrayBuffer();
    if (statusCode !== 200) throw new Error(`${statusCode} ${Buffer.from(content).toString()}`);
    return content.byteLength;
  };
}
