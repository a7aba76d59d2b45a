import { boundsOf } from './connection.ts';

const PLAIN = 'postgres://user:p%40ss@localhost:5432/db?application_name=crm';

it('an address that names no time has the usual bounds', () => {
  const { url, bounds } = boundsOf(PLAIN);
  expect(url).toBe(PLAIN);
  expect(bounds).toMatchObject({ connectionTimeoutMillis: 5_000, statement_timeout: 15_000 });
});

it('an address may name one time for every wait, which PostgreSQL is not told of', () => {
  const { url, bounds } = boundsOf(`${PLAIN}&wait_ms=60000`);
  expect(url).toBe(PLAIN);
  expect(bounds).toMatchObject({
    ...{ connectionTimeoutMillis: 60_000, statement_timeout: 60_000, query_timeout: 60_000 },
    ...{ lock_timeout: 60_000, idle_in_transaction_session_timeout: 60_000 },
  });
});

it.each(['', '0', '-1', '1.5', 'soon'])('“%s” is no time', (text) => {
  expect(() => boundsOf(`${PLAIN}&wait_ms=${text}`)).toThrow('wait_ms');
});
