import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kafkaLibrariesFolder, missingForKafka, missingForRedis } from './requirements.js';

describe('what the engines need of the system', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'requirements-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const install = (path: string, script = '') => {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), `#!/bin/sh\n${script}\n`);
    chmodSync(join(directory, path), 0o755);
  };
  const installJava = (version: string) => install('bin/java', `echo 'openjdk version "${version}"' >&2`);
  const missing = () => {
    const env = { PATH: directory, JAVA_HOME: directory };
    return [...missingForRedis(env), ...missingForKafka(env, directory)].map(({ packages }) => packages[0]);
  };

  it('is redis-server, Java and Maven', () => {
    expect(missing()).toEqual(['redis-server', 'openjdk-17-jre-headless', 'maven']);
  });

  it('is complete when all are there', () => {
    install('redis-server');
    install('mvn');
    installJava('17.0.15');
    expect(missing()).toEqual([]);
  });

  it('is a Java of version 17 or newer', () => {
    install('redis-server');
    install('mvn');
    installJava('11.0.2');
    expect(missing()).toEqual(['openjdk-17-jre-headless']);
    installJava('25');
    expect(missing()).toEqual([]);
  });

  it('is no Maven once Kafka has been fetched', () => {
    mkdirSync(kafkaLibrariesFolder(directory));
    expect(missing()).toEqual(['redis-server', 'openjdk-17-jre-headless']);
  });

  it('is named together with the cure, in one line each', () => {
    for (const { sentence } of missingForRedis({ PATH: directory })) {
      expect(sentence).toMatch(/^Redis is missing: apt-get install redis-server .*REDIS_URL\.$/);
    }
  });
});
