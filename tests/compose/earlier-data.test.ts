import { eventually } from '../support/index.ts';
import { docker, PROJECT } from './containers.ts';

/** A system of its own, of which nothing but the engines with passwords and the jobs run. */
const EARLIER = `${PROJECT}-earlier`;

async function run(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await docker(...words);
  if (code !== 0) throw new Error(`docker ${words.join(' ')} ended with ${code}: ${stderr}`);
  return stdout.trim();
}
const compose = (...words: string[]) => run('compose', '-p', EARLIER, ...words);

/** As docker-compose.yml of a release that trusted the network started it, on the volume of the same name. */
async function startEarlier(engine: string, volume: string, ...words: string[]): Promise<void> {
  await run('run', '-d', '--name', `${EARLIER}-${engine}`, '-v', `${EARLIER}_${volume}`, ...words);
}
const inEarlier = (engine: string, ...words: string[]) => run('exec', `${EARLIER}-${engine}`, ...words);
const psql = (statement: string, database = 'postgres') => [
  'psql',
  '-U',
  'postgres',
  '-d',
  database,
  '-Atc',
  statement,
];

/** The release's own settings, as far as Kafka asks for any. */
const KAFKA = [
  'KAFKA_NODE_ID=1',
  'KAFKA_PROCESS_ROLES=broker,controller',
  'KAFKA_CONTROLLER_QUORUM_VOTERS=1@kafka:9093',
  'KAFKA_LISTENERS=INTERNAL://:9092,CONTROLLER://:9093',
  'KAFKA_ADVERTISED_LISTENERS=INTERNAL://kafka:9092',
  'KAFKA_LISTENER_SECURITY_PROTOCOL_MAP=INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'KAFKA_INTER_BROKER_LISTENER_NAME=INTERNAL',
  'KAFKA_CONTROLLER_LISTENER_NAMES=CONTROLLER',
  'KAFKA_LOG_DIRS=/var/lib/kafka/data',
].flatMap((setting) => ['-e', setting]);
const ofKafka = (tool: string, server: string) => [`/opt/kafka/bin/${tool}.sh`, '--bootstrap-server', server];
const TOPIC = ['--topic', 'kept'];

const ENGINES = ['postgres', 'redis', 'kafka'];

afterAll(async () => {
  for (const engine of ENGINES) await docker('rm', '-f', '-v', `${EARLIER}-${engine}`);
  await compose('down', '--volumes', '--remove-orphans');
  // Compose leaves volumes alone that it hasn't made.
  await docker('volume', 'rm', '-f', ...ENGINES.map((engine) => `${EARLIER}_${engine}-data`));
});

it('data of a release that trusted the network stays, and its passwords open nothing any more', async () => {
  const locale = 'POSTGRES_INITDB_ARGS=--locale-provider=builtin --builtin-locale=C.UTF-8';
  const environment = ['-e', 'POSTGRES_PASSWORD=postgres', '-e', locale];
  await startEarlier('postgres', 'postgres-data:/var/lib/postgresql/data', ...environment, 'postgres:17');
  await startEarlier('redis', 'redis-data:/data', 'redis:7', 'redis-server', '--appendonly', 'yes');
  const host = ['--hostname', 'kafka'];
  await startEarlier('kafka', 'kafka-data:/var/lib/kafka/data', ...host, ...KAFKA, 'apache/kafka:4.2.1');
  await eventually(() => inEarlier('postgres', 'pg_isready', '-q', '-h', '127.0.0.1', '-U', 'postgres'));
  await inEarlier('postgres', ...psql(`create role frontdesk_crm login password 'crm'`));
  await inEarlier('postgres', ...psql('create database frontdesk_crm owner frontdesk_crm'));
  await inEarlier('postgres', ...psql(`create table kept as select 'Kim' as name`, 'frontdesk_crm'));
  await eventually(() => inEarlier('redis', 'redis-cli', 'SET', 'settings:session:1', 'sealed'));
  const create = ofKafka('kafka-topics', 'kafka:9092');
  await eventually(() => inEarlier('kafka', ...create, '--create', '--if-not-exists', ...TOPIC));
  const produce = [...ofKafka('kafka-console-producer', 'kafka:9092'), ...TOPIC].join(' ');
  await inEarlier('kafka', 'sh', '-c', `echo Kim | ${produce}`);
  for (const engine of ENGINES) await run('stop', '-t', '60', `${EARLIER}-${engine}`);

  await compose('run', '--rm', '-T', 'migrate');

  const kept = psql('select name from kept', 'frontdesk_crm');
  expect(await compose('exec', '-T', 'postgres', ...kept)).toBe('Kim');
  const asAdministrator = `REDISCLI_AUTH=$(cat /keys/redis/administrator) redis-cli --user admin GET settings:session:1`;
  expect(await compose('exec', '-T', 'redis', 'sh', '-c', asAdministrator)).toBe('sealed');

  const consume = [...ofKafka('kafka-console-consumer', 'localhost:9094'), ...TOPIC, '--partition', '0'];
  const first = ['--offset', 'earliest', '--max-messages', '1', '--timeout-ms', '60000'];
  expect((await compose('exec', '-T', 'kafka', ...consume, ...first)).trim()).toBe('Kim');

  for (const [user, password] of [
    ['postgres', 'postgres'],
    ['frontdesk_crm', 'crm'],
  ]) {
    // From another container: to itself, an old cluster listens without asking.
    const words = [
      'run',
      '--rm',
      '--network',
      `${EARLIER}_engines`,
      '-e',
      `PGPASSWORD=${password}`,
      'postgres:17',
    ];
    const { stderr } = await docker(
      ...words,
      'psql',
      '-h',
      'postgres',
      '-U',
      `${user}`,
      '-d',
      `${user}`,
      '-c',
      'select 1',
    );
    expect(stderr).toContain(`password authentication failed for user "${user}"`);
  }
});
