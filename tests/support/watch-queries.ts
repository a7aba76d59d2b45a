import { channel } from 'node:diagnostics_channel';
import pg from 'pg';

/** Publishes each text that this test file's process sends to PostgreSQL: see `watchStatements`. */
const queries = channel('frontdesk:query');
const { query } = pg.Client.prototype;

pg.Client.prototype.query = function (this: pg.Client, ...args: [string | { text?: string }]) {
  const [given] = args;
  queries.publish(typeof given === 'string' ? given : given.text);
  return Reflect.apply(query, this, args);
} as typeof query;
