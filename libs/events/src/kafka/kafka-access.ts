import { readFileSync } from 'node:fs';
import { EngineAccessError, enginePasswords } from '@frontdesk/service';

export interface KafkaLogin {
  username: string;
  /** Called at each login. Returns the current password, then the previous one while it is being replaced. */
  passwords: () => readonly [current: string, ...previous: string[]];
  /** The variable that says where the passwords are. */
  variable: string;
}

export interface KafkaAccess {
  /** `host:port` of one or more brokers of the cluster. */
  brokers: string[];
  /** Put before every topic and group, so that several systems (or tests) can share one cluster. */
  prefix?: string;
  /** Without it Kafka asks nobody who they are. */
  login?: KafkaLogin | undefined;
  /** KAFKA_CA_FILE: the authority that the brokers' certificates must come from; with it connections are encrypted. */
  caFile?: string | undefined;
  /** EVENT_LINGER_MS: the pause after each batch that is sent or applied. None unless stated. */
  lingerMs?: number;
}

/** What a service's environment (`kafkaEnv`) says of its Kafka. Spread it into the options of `createKafkaClient`. */
export function kafkaSettings(env: {
  KAFKA_BROKERS: string[];
  KAFKA_PREFIX: string;
  KAFKA_USERNAME?: string | undefined;
  KAFKA_CA_FILE?: string | undefined;
  EVENT_LINGER_MS: number;
  ENGINE_PASSWORDS_FILE?: string | undefined;
}): KafkaAccess {
  const { KAFKA_USERNAME: username, ENGINE_PASSWORDS_FILE: file } = env;
  if (username && !file)
    throw new EngineAccessError('ENGINE_PASSWORDS_FILE', new Error('KAFKA_USERNAME needs a password'));
  const passwords = () => enginePasswords(file ?? '', 'kafka');
  return {
    brokers: env.KAFKA_BROKERS,
    prefix: env.KAFKA_PREFIX,
    caFile: env.KAFKA_CA_FILE,
    lingerMs: env.EVENT_LINGER_MS,
    login: username ? { username, passwords, variable: 'ENGINE_PASSWORDS_FILE' } : undefined,
  };
}

/** @throws EngineAccessError where the file can't be read or holds no certificate, which Node would take without a word */
export function readAuthority(caFile: string): string {
  try {
    const ca = readFileSync(caFile, 'utf8');
    if (!ca.includes('BEGIN CERTIFICATE')) throw new Error(`there is no certificate in ${caFile}`);
    return ca;
  } catch (error) {
    throw new EngineAccessError('KAFKA_CA_FILE', error as Error);
  }
}
