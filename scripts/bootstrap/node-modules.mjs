import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathsForHere } from './locked-packages.js';
import { Fault, say } from './output.mjs';
import { runQuietly } from './processes.mjs';

/** @typedef {import('./locked-packages.js').Packages} Packages */

const LOCK = 'package-lock.json';
/** Written last, so that an installation that was cut short is done again. */
const STAMP = 'node_modules/.frontdesk-lock';
/** What npm itself notes about node_modules, also at the end. */
const NPMS_NOTE = 'node_modules/.package-lock.json';

/** Installs what package-lock.json names unless that is what node_modules holds; answers the path of the pinned Node. */
export async function ensureNodeModules() {
  const node = resolve('node_modules/node/bin/node');
  const lock = readFileSync(LOCK, 'utf8');
  const hash = createHash('sha256').update(lock).digest('hex');
  const locked = packagesOf(lock);
  const isThere = existsSync(node) && isComplete(locked);
  if (isThere && readText(STAMP) === hash) return node;
  if (!isThere || !agreesWithNpm(locked)) {
    say(
      `Installing ${pathsForHere(locked).length} packages of package-lock.json (npm ci, some 650 MB on disk, once) …`,
    );
    await npmCi(locked);
  }
  const { status, stderr, error } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (status !== 0)
    throw new Fault(`The Node in node_modules can't run here: ${error?.message ?? stderr.trim()}`);
  writeFileSync(STAMP, hash);
  return node;
}

/** True when no package's folder is missing, a workspace's own node_modules included. @param {Packages} locked */
function isComplete(locked) {
  return Object.entries(locked).every(([path, { optional }]) => optional || existsSync(path || '.'));
}

/**
 * True when somebody has run `npm ci` or `npm install` since the lock was written: then it needn't be done again.
 * @param {Packages} locked
 */
function agreesWithNpm(locked) {
  const installed = packagesOf(readText(NPMS_NOTE) ?? '{}');
  return Object.entries(locked).every(([path, { version, optional, link }]) => {
    if (path === '') return true;
    if (!installed[path]) return optional === true;
    return link || installed[path].version === version;
  });
}

/** @param {string} lock @returns {Packages} */
function packagesOf(lock) {
  return JSON.parse(lock).packages ?? {};
}

/** Under `npm start`, npm hands its own settings down, and NODE_ENV=production would leave the pinned Node out. @param {Packages} locked */
async function npmCi(locked) {
  const { NODE_ENV: _, npm_execpath: npm = '', ...env } = process.env;
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts=false', '--loglevel=error'];
  const paths = pathsForHere(locked);
  const howFar = () => {
    const count = paths.filter((path) => existsSync(`${path || '.'}/package.json`)).length;
    return count < paths.length
      ? `${count} of ${paths.length} packages`
      : `all ${count} packages are there; now npm unpacks and sets them up`;
  };
  if (basename(npm) === 'npm-cli.js') await runQuietly(process.execPath, [npm, ...args], env, howFar);
  else await runQuietly('npm', args, env, howFar);
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
