import type { Audience, EventService, Issuer } from '@frontdesk/contracts';
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
  watchIdentityKeys,
} from '@frontdesk/service';

type WiringConfig = ServiceConfig &
  Parameters<typeof databaseSettings>[0] &
  Parameters<typeof kafkaSettings>[0];

/** Beside itself, what every consumer is given. */
export interface Wiring extends ConsumerDeps {
  readonly name: EventService;
  readonly config: WiringConfig;
  readonly database: Database;
  readonly verifier: IdentityVerifier;
}

/** What a service has that calls others. */
interface Caller {
  readonly signer: IdentitySigner;
  /** Calls another service in the name of this one. */
  clientOf(audience: Audience, baseUrl: string): ServiceClient;
}

/** What a service's own routes, consumers and workers are made with. Nothing connects before the parts are started. */
export async function createWiring(options: {
  name: EventService;
  config: WiringConfig;
  context: ServiceContext;
  database: Pick<Parameters<typeof createDatabase>[0], 'entities' | 'migrations' | 'sessionSettings'>;
}): Promise<Wiring> {
  const { name, config, context } = options;
  const { logger, metrics } = context;
  const verifier = await createIdentityVerifier({
    audience: name,
    publicKeysFile: config.IDENTITY_PUBLIC_KEYS_FILE,
    logger,
  });
  watchIdentityKeys(metrics, verifier);
  const database = createDatabase({ ...databaseSettings(config), ...options.database, logger, metrics });
  const kafka = createKafkaClient({ ...kafkaSettings(config), clientId: name, logger });
  return {
    name,
    config,
    logger,
    metrics,
    database,
    verifier,
    kafka,
    deadLetters: createDeadLetters({ database, metrics }),
    progress: createConsumerProgress(database),
  };
}

/** For services that have an identity key: those that call others. */
export async function createCaller(
  { logger, metrics }: Pick<Wiring, 'logger' | 'metrics'>,
  issuer: Issuer & EventService,
  config: { IDENTITY_PRIVATE_KEY_FILE: string; SERVICE_TIMEOUT_MS?: number | undefined },
): Promise<Caller> {
  const signer = await createIdentitySigner({
    issuer,
    privateKeyFile: config.IDENTITY_PRIVATE_KEY_FILE,
    logger,
  });
  return {
    signer,
    clientOf: serviceClients({ signer, timeoutMs: config.SERVICE_TIMEOUT_MS, metrics }),
  };
}
