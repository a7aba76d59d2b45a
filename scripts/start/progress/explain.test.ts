import { explain } from './explain.ts';

const fault = (code: string, message: string, path?: string) =>
  Object.assign(new Error(message), { code, ...(path && { path }) });

describe('what a start that failed says', () => {
  it.each([
    ['a full disk', fault('ENOSPC', 'ENOSPC: no space left on device, write'), 'free some space'],
    [
      'a full disk of PostgreSQL',
      fault('53100', 'could not extend file: No space left on device'),
      'free some space',
    ],
    [
      'a folder of another user',
      fault('EACCES', 'EACCES: permission denied', '/x/start.lock'),
      '--directory DIR',
    ],
    ['a folder below a file', fault('ENOTDIR', 'ENOTDIR: not a directory', '/x/file/y'), '--directory DIR'],
    ['an option that is none', fault('ERR_PARSE_ARGS_UNKNOWN_OPTION', "Unknown option '--x'"), '--help'],
    ['a read-only disk', fault('EROFS', 'EROFS: read-only file system', '/x/keys'), '/x/keys'],
    ['passwords of other data', fault('28P01', 'password authentication failed'), '--reset'],
  ])('%s: the fault and its cure', (_case, error, cure) => {
    expect(explain(error)).toContain(`${error.message}\n`);
    expect(explain(error)).toContain(cure);
  });

  it('anything else: the message, and what it came from', () => {
    expect(explain(new Error('not available', { cause: new Error('it sleeps') }))).toBe(
      'not available (it sleeps)',
    );
    expect(explain(new Error('away', { cause: new Error('away') }))).toBe('away');
    expect(explain('nothing')).toBe('nothing');
  });
});
