import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { KafkaAccess } from '@frontdesk/events';
import type { Component } from '@frontdesk/service';
import { migrations } from '../../../services/crm/src/migrations/index.ts';
import { makeCertificate, type TestCertificate } from '../../support/certificate.ts';
import { createTestDatabase, eventually, identityKeys, logger, patientUrl } from '../../support/index.ts';
import { PATIENT_ENV } from '../../support/patient-env.ts';
import { type KafkaWithUsers, startKafkaWithUsers } from './kafka-with-users.ts';

const ENTRY = 'services/crm/src/main.ts';

let kafka: KafkaWithUsers;
/** Another authority than the broker's. */
let other: TestCertificate;
beforeAll(async () => {
  [kafka, other] = await Promise.all([startKafkaWithUsers(), makeCertificate()]);
});
afterEach(() => kafka.stopParts());
afterAll(() => Promise.all([kafka.stop(), other.remove()]));

type Refusable = Pick<Component, 'refused'> & { start(): Promise<void> };

describe('a service that Kafka refuses ends in a line that names the variable', () => {
  it.each<[string, () => Refusable, RegExp]>([
    [
      'a wrong authority',
      () => kafka.publisherOf('crm', ['customers'], { KAFKA_CA_FILE: other.certFile }),
      /^KAFKA_CA_FILE: .*self-signed certificate/,
    ],
    [
      'a wrong user',
      () =>
        kafka.publisherOf('nobody', ['customers'], {
          ENGINE_PASSWORDS_FILE: kafka.files.servicePasswords('crm'),
        }),
      /^KAFKA_USERNAME, ENGINE_PASSWORDS_FILE: .*invalid credentials/,
    ],
    [
      'a wrong password',
      () =>
        kafka.publisherOf('crm', ['customers'], {
          ENGINE_PASSWORDS_FILE: kafka.files.servicePasswords('calls'),
        }),
      /^KAFKA_USERNAME, ENGINE_PASSWORDS_FILE: .*invalid credentials/,
    ],
    [
      'no file of passwords',
      () => kafka.publisherOf('crm', ['customers'], { ENGINE_PASSWORDS_FILE: '/nowhere.json' }),
      /^ENGINE_PASSWORDS_FILE: \/nowhere.json can't be read/,
    ],
    [
      'no right to a topic',
      () => kafka.publisherOf('gateway', ['customers']),
      /^KAFKA_USERNAME: .*no right to write customers/,
    ],
    [
      'no right to a topic of its group',
      () => kafka.consumerOf('crm', 'crm.tenants', ['calls']),
      /^KAFKA_USERNAME: .*no right to read calls as group crm\.tenants/,
    ],
  ])('%s', async (_case, part, message) => {
    const { start, refused } = part();
    await start();
    await expect(refused).rejects.toThrow(message);
  });

  it('as its process does, with exit code 1', async () => {
    const database = await createTestDatabase(migrations, 'crm');
    const keys = identityKeys();
    const nobody = 'http://127.0.0.1:9';
    const child = spawn(
      process.execPath,
      ['--import', './scripts/start/processes/end-with-parent.ts', ENTRY],
      {
        env: {
          PATH: process.env.PATH,
          PORT: '0',
          INTERNAL_PORT: '0',
          LOG_LEVEL: 'fatal',
          ...PATIENT_ENV,
          DATABASE_URL: patientUrl(database.url),
          GATEWAY_INTERNAL_URL: nobody,
          SCHEDULING_INTERNAL_URL: nobody,
          IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeysFile,
          IDENTITY_PRIVATE_KEY_FILE: keys.privateKeyFile('crm'),
          KAFKA_BROKERS: kafka.kafkaBrokers,
          KAFKA_CA_FILE: kafka.certificate.certFile,
          KAFKA_USERNAME: 'crm',
          ENGINE_PASSWORDS_FILE: kafka.files.servicePasswords('calls'),
        },
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      },
    );
    const output = text(child.stdout as NodeJS.ReadableStream);
    const [code] = await once(child, 'exit');
    await database.drop();
    const lines = (await output).trim().split('\n');
    expect([code, lines.length]).toEqual([1, 1]);
    expect(JSON.parse(lines[0] ?? '').msg).toMatch(/^KAFKA_USERNAME, ENGINE_PASSWORDS_FILE: /);
  });

  it('an authority that is none', () => {
    expect(() => kafka.as('crm', { KAFKA_CA_FILE: '/nowhere.pem' })).toThrow(/^KAFKA_CA_FILE: ENOENT/);
    const passwords = kafka.files.servicePasswords('crm');
    expect(() => kafka.as('crm', { KAFKA_CA_FILE: passwords })).toThrow(
      /^KAFKA_CA_FILE: there is no certificate/,
    );
  });
});

describe('a service whose connections Kafka closes waits, and warns of the variables', () => {
  it.each<[string, () => Partial<KafkaAccess>]>([
    ['without a user', () => ({ caFile: kafka.certificate.certFile })],
    [
      'with an authority for no TLS',
      () => ({ brokers: [kafka.openBroker], caFile: kafka.certificate.certFile }),
    ],
  ])('%s', async (_case, access) => {
    const lines: unknown[] = [];
    const warn = (...said: unknown[]) => lines.push(said.at(-1));
    const warned = Object.assign(Object.create(logger), { warn });
    const publisher = kafka.publisher({
      kafka: kafka.client(access()),
      topics: ['customers'],
      logger: warned,
    });
    await publisher.start();
    const names = expect.stringMatching(/KAFKA_USERNAME and KAFKA_CA_FILE/);
    await eventually(() => expect(lines).toContainEqual(names));
  });
});
