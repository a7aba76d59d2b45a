import type { EventService } from '@frontdesk/contracts';
import {
  createConsumerProgress,
  createDatabase,
  createDeadLetters,
  type Database,
  databaseSettings,
} from '@frontdesk/database';
import { type ConsumerDeps, createKafkaClient, kafkaSettings } from '@frontdesk/events';
import {
  createIdentitySigner,
  createIdentityVerifier,
  type IdentitySigner,
  type IdentityVerifier,
  type ServiceClient,
  type ServiceConfig,
  type ServiceContext,
  serviceClients,
} from '@frontdesk/service';

type ChassisConfig = ServiceConfig &
  Parameters<typeof databaseSettings>[0] &
  Parameters<typeof kafkaSettings>[0] & {
    SERVICE_TIMEOUT_MS?: number | undefined;
  };

/** Beside itself, what every consumer is given. */
export interface Chassis extends ConsumerDeps {
  readonly name: EventService;
  readonly config: ChassisConfig;
  readonly database: Database;
  readonly signer: IdentitySigner;
  readonly verifier: IdentityVerifier;
  /** Calls another service in the name of this one. */
  clientOf(audience: string, baseUrl: string): ServiceClient;
}

/** What a service's own routes, consumers and workers are made with. Nothing connects before the parts are started. */
export async function createChassis(options: {
  name: EventService;
  config: ChassisConfig;
  context: ServiceContext;
  database: Pick<Parameters<typeof createDatabase>[0], 'entities' | 'migrations' | 'sessionSettings'>;
}): Promise<Chassis> {
  const { name, config, context } = options;
  const { logger, metrics } = context;
  const signer = await createIdentitySigner({
    issuer: name,
    privateKeyFile: config.IDENTITY_PRIVATE_KEY_FILE,
  });
  const verifier = await createIdentityVerifier({
    audience: name,
    publicKeysFile: config.IDENTITY_PUBLIC_KEYS_FILE,
  });
  const database = createDatabase({ ...databaseSettings(config), ...options.database, logger, metrics });
  const kafka = createKafkaClient({ ...kafkaSettings(config), clientId: name, logger });
  return {
    ...{ name, config, logger, metrics, database, signer, verifier, kafka },
    deadLetters: createDeadLetters({ database, metrics }),
    progress: createConsumerProgress(database),
    clientOf: serviceClients({ signer, timeoutMs: config.SERVICE_TIMEOUT_MS, metrics }),
  };
}
