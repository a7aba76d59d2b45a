import { errorsIn, lastFault } from './log-watch.ts';

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
});
