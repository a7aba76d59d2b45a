import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { isOnPath, missingForKafka, missingForRedis } from '../../libs/local-stack/src/requirements.js';
import { missingForBrowser } from './chromium.js';
import { missingForTerminal } from './commands.js';
import { Fault, say } from './output.mjs';
import { runQuietly } from './processes.mjs';

/** @typedef {import('../../libs/local-stack/src/requirements.js').Missing} Missing */

/**
 * Installs what the system lacks where we may, that is as root on Debian; elsewhere throws a line for each thing that
 * names the cure.
 * @param {string} command
 */
export async function ensureSystemPackages(command) {
  let missing = missingPackages(command);
  if (missing.length > 0 && process.getuid?.() === 0 && isOnPath('apt-get', process.env)) {
    await installWithApt(missing).catch((error) => {
      if (missing.some(({ needed }) => needed !== 'by the reader')) throw error;
    });
    missing = missingPackages(command);
  }
  const indispensable = missing.filter(
    ({ needed }) => needed === 'always' || (needed === 'without containers' && !hasContainers()),
  );
  if (indispensable.length > 0) throw new Fault(indispensable.map(({ sentence }) => sentence).join('\n'));
  for (const { needed, sentence } of missing) if (needed === 'by the reader') say(sentence);
}

/**
 * What is needed without containers is for an engine, which can run in one; by the reader, for the commands of the guides alone.
 * @param {string} command
 * @returns {(Missing & { needed: 'always' | 'without containers' | 'by the reader' })[]}
 */
function missingPackages(command) {
  const { env } = process;
  const isTest = command === 'test' || command === 'test-all';
  const prefix = isTest ? 'TEST_' : '';
  const usesEngines = command !== 'check' && env.TEST_ENGINES !== 'containers';
  const [redisUrl, kafkaBrokers] = [`${prefix}REDIS_URL`, `${prefix}KAFKA_BROKERS`];
  const forEngines = [
    ...(usesEngines && !env[redisUrl] ? missingForRedis(env, redisUrl) : []),
    ...(usesEngines && !env[kafkaBrokers] ? missingForKafka(env, '.local', kafkaBrokers) : []),
  ];
  const forTests = isTest ? [...missingForBrowser(env), ...missingForTerminal(env)] : [];
  const forReader = command === 'start' ? missingForTerminal(env) : [];
  return [
    ...[...missingForNode(), ...forTests].map((missing) => ({
      ...missing,
      needed: /** @type {const} */ ('always'),
    })),
    ...forEngines.map((missing) => ({ ...missing, needed: /** @type {const} */ ('without containers') })),
    ...forReader.map((missing) => ({ ...missing, needed: /** @type {const} */ ('by the reader') })),
  ];
}

/** The pinned Node is linked against libatomic, which a bare Debian lacks. @returns {Missing[]} */
function missingForNode() {
  if (process.platform !== 'linux') return [];
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const folders = [
    `/usr/lib/${machine}-linux-gnu`,
    `/lib/${machine}-linux-gnu`,
    '/usr/lib64',
    '/lib64',
    '/usr/lib',
  ];
  if (folders.some((folder) => existsSync(`${folder}/libatomic.so.1`))) return [];
  const { stdout } = spawnSync('ldconfig', ['-p'], { encoding: 'utf8' });
  if (stdout?.includes('libatomic.so.1')) return [];
  const sentence =
    'libatomic, which Node 26 needs, is missing: apt-get install libatomic1 (Fedora: dnf install libatomic).';
  return [{ sentence, packages: ['libatomic1'] }];
}

/** @param {Missing[]} missing */
async function installWithApt(missing) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  say(`Installing ${missing.map(({ packages }) => packages[0]).join(', ')} (apt-get) …`);
  await runQuietly('apt-get', ['update', '-q'], env, lastLine);
  const names = missing.map(({ packages }) => packages.find(isInRelease) ?? packages[0] ?? '');
  // Slim images come without it, and Java's packages then fail to register their manual pages.
  mkdirSync('/usr/share/man/man1', { recursive: true });
  await runQuietly('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...names], env, lastLine);
}

/** What apt is at. @param {string} said */
const lastLine = (said) => said.trimEnd().split('\n').at(-1) ?? '';

/** @param {string} name */
function isInRelease(name) {
  return spawnSync('apt-cache', ['show', name]).status === 0;
}

function hasContainers() {
  return spawnSync('docker', ['info']).status === 0;
}
