import { GivenEngineFault } from '../engines/given-engine.ts';

const NO_SPACE = /ENOSPC|EDQUOT|no space left on device/i;
const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS']);
const NO_FOLDER = new Set(['ENOTDIR', 'EEXIST', 'ENAMETOOLONG']);
const UNKNOWN_OPTION = /^ERR_PARSE_ARGS_/;
const WRONG_PASSWORD = '28P01';

/** Why a start failed and what cures it, for people: "not available" alone helps nobody who runs the thing. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path } = error as NodeJS.ErrnoException;
  const cause = (error.cause as { message?: unknown } | undefined)?.message;
  const said =
    typeof cause === 'string' && !error.message.includes(cause)
      ? `${error.message} (${cause})`
      : error.message;
  const cure = NO_SPACE.test(said)
    ? 'The disk is full: free some space, then start again. Nothing is lost.'
    : error instanceof GivenEngineFault
      ? `Bring up what it names, or correct it; leave ${error.variable} out, and npm start brings an engine of its own.`
      : cureOf(code ?? '', path);
  return cure ? `${said}\n${cure}` : said;
}

function cureOf(code: string, path: string | undefined): string | undefined {
  if (NOT_WRITABLE.has(code))
    return `This user may not write ${path ?? 'there'}: start as the user whom the folder belongs to, or choose another one with npm start -- --directory DIR.`;
  if (NO_FOLDER.has(code))
    return `${path ?? 'That'} can't be a folder: choose another one with npm start -- --directory DIR.`;
  if (UNKNOWN_OPTION.test(code)) return 'npm start -- --help lists the options.';
  if (code === WRONG_PASSWORD)
    return "The passwords in the folder keys don't belong to the data beside it: put back a copy of keys, or begin without data by npm start -- --reset.";
  return undefined;
}
