import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorsIn, lastFault, watchLogs } from './log-watch.ts';

const line = (entry: object) => `${JSON.stringify(entry)}\n`;

describe('what the console shows of a log', () => {
  it('is errors and worse, with their cause, and nothing that is only noise', () => {
    const text =
      line({ level: 30, msg: 'request' }) +
      line({ level: 50, msg: 'relay failed', err: { message: 'no broker' } }) +
      'a stack trace\n' +
      line({ level: 60, msg: 'PORT is missing', err: { message: 'PORT is missing' } });

    expect(errorsIn(text)).toEqual(['relay failed: no broker', 'PORT is missing']);
  });

  it('is the last error of a process that did not start, or else its last words', () => {
    expect(lastFault(`${line({ level: 60, msg: 'no database' })}${line({ level: 30, msg: 'bye' })}`)).toBe(
      'no database',
    );
    expect(lastFault('Error: no module\n\n')).toBe('Error: no module');
  });

  it('goes on where somebody removes the log, from the beginning of the next one', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'logs-'));
    try {
      const log = join(directory, 'crm.log');
      const shown: string[] = [];
      const look = () => watchLogs([log], (text) => shown.push(text));
      await writeFile(log, line({ level: 50, msg: 'before' }));
      const first = look();
      await rm(log);
      first.stop();
      const second = look();
      await writeFile(log, line({ level: 50, msg: 'after' }));
      second.stop();
      expect(shown).toEqual(['crm: after']);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
