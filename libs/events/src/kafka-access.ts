import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { EngineRefusal, enginePasswords } from '@frontdesk/service';
import type { KafkaConfig, Mechanism } from 'kafkajs';
import scram512 from 'kafkajs/src/broker/saslAuthenticator/scram512.js';

/** What a broker says of a wrong user or password. */
const INVALID = /invalid credentials/i;

export interface KafkaLogin {
  username: string;
  /** Asked for at each connection: the one from now on, then the one that it replaces, if there is one. */
  passwords: () => Promise<readonly [current: string, ...previous: string[]]>;
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
}

/** What a service's environment (`kafkaEnv`) says of its Kafka. Spread it into the options of `createKafkaClient`. */
export function kafkaSettings(env: {
  KAFKA_BROKERS: string[];
  KAFKA_PREFIX: string;
  KAFKA_USERNAME?: string | undefined;
  KAFKA_CA_FILE?: string | undefined;
  ENGINE_PASSWORDS_FILE?: string | undefined;
}): KafkaAccess {
  const { KAFKA_USERNAME: username, ENGINE_PASSWORDS_FILE: file } = env;
  if (username && !file)
    throw new EngineRefusal('ENGINE_PASSWORDS_FILE', new Error('KAFKA_USERNAME needs a password'));
  const passwords = () => enginePasswords(file ?? '', 'kafka');
  return {
    brokers: env.KAFKA_BROKERS,
    prefix: env.KAFKA_PREFIX,
    caFile: env.KAFKA_CA_FILE,
    login: username ? { username, passwords, variable: 'ENGINE_PASSWORDS_FILE' } : undefined,
  };
}

/** @throws EngineRefusal where the authority's file can't be read or holds no certificate */
export function accessSettings({ login, caFile }: KafkaAccess): Pick<KafkaConfig, 'ssl' | 'sasl'> {
  return {
    ...(caFile && { ssl: { ca: readAuthority(caFile) } }),
    ...(login && { sasl: scramLogin(login) }),
  };
}

function readAuthority(caFile: string): string {
  try {
    const ca = readFileSync(caFile, 'utf8');
    createSecureContext({ ca });
    return ca;
  } catch (error) {
    throw new EngineRefusal('KAFKA_CA_FILE', error as Error);
  }
}

/**
 * Logs each connection in with the password of the moment. While a password is being replaced, Kafka knows either the new one or
 * still the old one: where it refuses the new one, the next connection brings the old one.
 */
function scramLogin({ username, passwords, variable }: KafkaLogin): Mechanism {
  let refused: string | undefined;
  return {
    mechanism: 'scram-sha-512',
    authenticationProvider: (connection) => ({
      async authenticate() {
        const [current, previous] = await passwords().catch(refuse);
        const isFallback = previous !== undefined && current === refused;
        const password = isFallback ? previous : current;
        refused = undefined;
        try {
          await scram512({ username, password })(connection).authenticate();
        } catch (error) {
          // kafkajs calls it the same when the connection is lost half way.
          if (!INVALID.test((error as Error).message)) throw error;
          if (previous === undefined || isFallback)
            refuse(new EngineRefusal(`KAFKA_USERNAME, ${variable}`, error as Error));
          refused = current;
          throw connectAnew();
        }
      },
    }),
  };
}

/** What kafkajs takes for a lost connection. */
const connectAnew = () =>
  Object.assign(new Error('The password is being replaced.'), {
    name: 'KafkaJSConnectionError',
    retriable: true,
  });

/** Nothing that kafkajs should try again. */
function refuse(error: Error): never {
  throw Object.assign(error, { retriable: false });
}
