import { Writable } from 'node:stream';
import { pino } from 'pino';
import { loggedError } from './logging.ts';

describe('a logged error', () => {
  it('logs type, code, place and cause, and nothing that a database error carries of its rows', () => {
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    const refused = Object.assign(new Error('duplicate key value violates unique constraint'), {
      code: '23505',
      constraint: 'customers_phone_unique',
      detail: 'Key (phone_e164)=(+4930231251) already exists.',
      parameters: ['Ada Lovelace'],
      query: 'insert into customers …',
    });
    pino({ serializers: { err: loggedError } }, sink).error({ err: new Error('outer', { cause: refused }) });

    const [line = ''] = lines;
    expect(JSON.parse(line).err).toMatchObject({
      message: 'outer',
      stack: expect.stringContaining('logging.test'),
      cause: { code: '23505', constraint: 'customers_phone_unique' },
    });
    expect(line).not.toMatch(/\+4930231251|Ada Lovelace|insert into/);
  });
});
