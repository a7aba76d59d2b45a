import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Of what the files were made, and what came out. Written last, so that a making that was cut short is done again. */
const STAMP = '.made-from';

/**
 * Has `make` write files, unless the folder holds just what came of the same inputs. Processes may do so side by side: a file is
 * replaced as a whole, and a mixture of two makings is made anew.
 * @param {{ folder: string, inputs: string[], make: (folder: string) => Promise<void> }} options inputs: files and folders
 */
export async function ensureMade({ folder, inputs, make }) {
  // Read beforehand: what changes meanwhile is noticed the next time.
  const ofInputs = digestOf(inputs);
  const stamp = join(folder, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === `${ofInputs} ${digestOf([folder])}`) return;
  mkdirSync(folder, { recursive: true });
  const made = mkdtempSync(join(folder, '.making-'));
  try {
    await make(made);
    writeFileSync(join(made, STAMP), `${ofInputs} ${digestOf([made])}`);
    const files = namesIn(made);
    for (const name of namesIn(folder))
      if (!files.includes(name)) rmSync(join(folder, name), { recursive: true });
    for (const name of [...files, STAMP]) renameSync(join(made, name), join(folder, name));
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Of the names and contents of all files, those below folders included. @param {string[]} paths */
function digestOf(paths) {
  const hash = createHash('sha256');
  /** @param {string} path @param {string} name */
  const add = (path, name) => {
    if (statSync(path).isDirectory())
      for (const inner of namesIn(path)) add(join(path, inner), `${name}/${inner}`);
    else {
      const content = readFileSync(path);
      hash.update(`${name}\0${content.length}\0`).update(content);
    }
  };
  for (const path of paths) add(path, '');
  return hash.digest('hex');
}

/** What of a folder is source: neither hidden, nor installed, nor a test. @param {string} folder */
function namesIn(folder) {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && name !== 'node_modules' && !name.endsWith('.test.ts'))
    .sort();
}
