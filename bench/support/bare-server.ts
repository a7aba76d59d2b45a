import Fastify from 'fastify';
import pg from 'pg';
import { listenBare } from './bare-process.ts';

/**
 * The unit of the benchmarks: Fastify, one named statement, an answer of as many bytes. What a service costs beyond it is
 * what it does. BODY_BYTES, DATABASE_URL, and what `listenBare` reads.
 */
const { BODY_BYTES, DATABASE_URL } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 4 });
const answer = JSON.stringify({ data: 'x'.repeat(Number(BODY_BYTES) - 11) });

const api = Fastify();
api.get('/', async (_request, reply) => {
  await pool.query({ name: 'unit', text: 'select tenant_id from tenants where tenant_id = $1', values: [1] });
  return reply.type('application/json').send(answer);
});
await api.ready();
await listenBare(api.server);
