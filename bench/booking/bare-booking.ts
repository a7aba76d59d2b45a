import Fastify from 'fastify';
import pg from 'pg';
import { listenBare } from '../support/bare-process.ts';

/**
 * The floor of the benchmark behind a bare proxy: Fastify and pg, without a schema, an identity or a log. POST books in one
 * transaction, under an exclusion constraint and with a row in an outbox; GET runs one statement. Both answer with as many bytes as
 * `bytes` says. DATABASE_URL, and what `listenBare` reads.
 */
interface Query {
  bytes: string;
}
interface Body {
  resource_id: number;
  from: string;
  until: string;
  notes: string;
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8 });
const answer = (bytes: string) => JSON.stringify({ data: 'x'.repeat(Math.max(0, Number(bytes) - 11)) });

const book = {
  name: 'book',
  text: `insert into bookings (resource_id, occupied, notes) values ($1, tstzrange($2, $3), $4) returning id`,
};
const announce = { name: 'announce', text: 'insert into outbox (envelope) values ($1)' };
const find = { name: 'find', text: 'select id, notes from bookings where id = $1', values: [1] };

const api = Fastify();
api.get<{ Querystring: Query }>('/api/v1/floor', async ({ query }, reply) => {
  await pool.query(find);
  return reply.type('application/json').send(answer(query.bytes));
});
api.post<{ Querystring: Query; Body: Body }>('/api/v1/floor', async ({ query, body }, reply) => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const values = [body.resource_id, body.from, body.until, body.notes];
    const { rows } = await client.query({ ...book, values });
    await client.query({ ...announce, values: [JSON.stringify({ ...rows[0], ...body })] });
    await client.query('commit');
  } finally {
    client.release();
  }
  return reply.code(201).type('application/json').send(answer(query.bytes));
});
await api.ready();
await listenBare(api.server);
