// Plain JavaScript for Node 18: scripts/bootstrap.mjs asks this before anything is installed.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Something of the system that is missing: `packages` are Debian's, of which the first that the release has will do.
 * @typedef {{ sentence: string, packages: string[] }} Missing
 */

const OLDEST_JAVA = 17;

/** Holds the pom.xml that names the version, and the broker's logging configuration. */
export const kafkaFolder = join(fileURLToPath(import.meta.url), '..', '..', 'kafka');

export const kafkaVersion =
  /<kafka.version>(.+)<\/kafka.version>/.exec(readFileSync(join(kafkaFolder, 'pom.xml'), 'utf8'))?.[1] ?? '';

/** @param {string} cacheDirectory */
export function kafkaLibrariesFolder(cacheDirectory) {
  return join(cacheDirectory, `kafka-${kafkaVersion}`);
}

/** The java command: JAVA_HOME's, else the path's. @param {NodeJS.ProcessEnv} env */
export function javaCommand(env) {
  return env.JAVA_HOME ? join(env.JAVA_HOME, 'bin', 'java') : 'java';
}

/**
 * What Redis lacks to run as a local process; `variable` names one that runs elsewhere.
 * @param {NodeJS.ProcessEnv} env @returns {Missing[]}
 */
export function missingForRedis(env, variable = 'REDIS_URL') {
  if (isOnPath('redis-server', env)) return [];
  const cure = `apt-get install redis-server (macOS: brew install redis), or set ${variable}`;
  return [{ sentence: `Redis is missing: ${cure}.`, packages: ['redis-server'] }];
}

/**
 * What Kafka lacks to run as a local process; `variable` names one that runs elsewhere.
 * @param {NodeJS.ProcessEnv} env @param {string} cacheDirectory @returns {Missing[]}
 */
export function missingForKafka(env, cacheDirectory, variable = 'KAFKA_BROKERS') {
  /** @type {Missing[]} */
  const missing = [];
  const version = javaVersion(javaCommand(env));
  if (version < OLDEST_JAVA) {
    const fault =
      version === 0 ? 'Java, which runs Kafka, is missing' : `Java ${version} is too old for Kafka`;
    const cure = `apt-get install openjdk-17-jre-headless (macOS: brew install openjdk), or set ${variable}`;
    const packages = ['openjdk-17-jre-headless', 'openjdk-21-jre-headless', 'openjdk-25-jre-headless'];
    missing.push({ sentence: `${fault}: ${cure}.`, packages });
  }
  if (!existsSync(kafkaLibrariesFolder(cacheDirectory)) && !isOnPath('mvn', env)) {
    const cure = `apt-get install maven (macOS: brew install maven), or set ${variable}`;
    missing.push({ sentence: `Maven, which fetches Kafka, is missing: ${cure}.`, packages: ['maven'] });
  }
  return missing;
}

/** The major version; 0 when there is no Java. @param {string} command */
function javaVersion(command) {
  const { status, stderr } = spawnSync(command, ['-version'], { encoding: 'utf8' });
  return status === 0 ? Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0) : 0;
}

/** @param {string} command @param {NodeJS.ProcessEnv} env */
export function isOnPath(command, env) {
  return (env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
