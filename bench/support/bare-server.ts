import Fastify from 'fastify';
import pg from 'pg';

/**
 * The unit of the benchmarks: Fastify, one named statement, an answer of as many bytes. What a service costs beyond it is
 * what it does. BODY_BYTES, DATABASE_URL, HOST and PORT; its CPU time is at INTERNAL_PORT/metrics, as a service's is.
 */
const { BODY_BYTES, DATABASE_URL, HOST, PORT, INTERNAL_PORT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 4 });
const answer = JSON.stringify({ data: 'x'.repeat(Number(BODY_BYTES) - 11) });

const api = Fastify();
api.get('/', async (_request, reply) => {
  await pool.query({ name: 'unit', text: 'select tenant_id from tenants where tenant_id = $1', values: [1] });
  return reply.type('application/json').send(answer);
});
const internal = Fastify();
internal.get('/health/live', async () => 'ok');
internal.get('/metrics', async () => {
  const { user, system } = process.cpuUsage();
  return `process_cpu_seconds_total ${(user + system) / 1e6}\n`;
});
await api.listen({ host: HOST ?? '127.0.0.1', port: Number(PORT) });
await internal.listen({ host: HOST ?? '127.0.0.1', port: Number(INTERNAL_PORT) });
process.once('SIGTERM', () => process.exit(0));
