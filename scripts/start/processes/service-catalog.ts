import type { Engines } from '@frontdesk/local-stack';
import { type DatabaseOwner, localDatabaseUrls } from '../../migrate/databases.ts';
import { keyFilesIn } from '../keys/identity-keys.ts';
import type { SystemPorts } from './ports.ts';

/** Variables of the start's own environment that a service may see when they are set. */
const PASSED_ON = [
  'PATH',
  'TZ',
  'LANG',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'LOG_LEVEL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'DATABASE_POOL_MAX',
  'DATABASE_WAIT_MS',
  'DATABASE_REQUEST_MS',
  'DATABASE_TENANT_WAIT_MS',
  'RETRY_DELAYS_SECONDS',
  'DELIVERY_TIMEOUT_MS',
  'LEASE_SESSION_TIMEOUT_MS',
  'ANNOUNCE_AFTER_MS',
  'LINK_WAIT_MS',
  'SERVICE_TIMEOUT_MS',
  'DRAIN_MS',
  'UPSTREAM_WAIT_MS',
  'UPSTREAM_SILENCE_MS',
  'UPSTREAM_TIMEOUT_MS',
  'INGEST_RATE_PER_MINUTE',
  'TRUSTED_PROXIES',
  'REDIS_TIMEOUT_MS',
  'RATE_LIMIT_TIMEOUT_MS',
  'PAGE_TIMEOUT_MS',
  'CHANGE_TIMEOUT_MS',
  'EXPORT_TIMEOUT_MS',
];

export interface ServiceProcess {
  name: DatabaseOwner;
  /** Relative to the repository's root. */
  entry: string;
  internalUrl: string;
  env: Record<string, string>;
}

export type SystemUrls = ReturnType<typeof systemUrls>;

export function systemUrls(ports: SystemPorts) {
  const local = (port: number) => `http://127.0.0.1:${port}`;
  return {
    gateway: local(ports.gateway),
    gatewayInternal: local(ports.gatewayInternal),
    schedulingApi: local(ports.scheduling),
    schedulingInternal: local(ports.schedulingInternal),
    crmApi: local(ports.crm),
    crmInternal: local(ports.crmInternal),
    callsApi: local(ports.calls),
    callsInternal: local(ports.callsInternal),
    webhooksApi: local(ports.webhooks),
    webhooksInternal: local(ports.webhooksInternal),
    settingsUi: local(ports.settingsUi),
    settingsUiInternal: local(ports.settingsUiInternal),
  };
}

/**
 * Every service of the system, in the order in which they start; they stop in reverse, the public door first. A service
 * gets its own private key and database, and nothing of the others'.
 */
export function serviceCatalog(options: {
  ports: SystemPorts;
  engines: Pick<Engines, 'databaseUrl' | 'redisUrl' | 'kafkaBrokers' | 'setKafkaUser'>;
  keysDirectory: string;
  compileCache: string;
  env: NodeJS.ProcessEnv;
}): ServiceProcess[] {
  const { ports, engines, env } = options;
  const urls = systemUrls(ports);
  const keys = keyFilesIn(options.keysDirectory);
  const redisUrlOf = (service: DatabaseOwner) =>
    env.REDIS_URL || Object.assign(new URL(engines.redisUrl), { username: service, password: '' }).href;
  const databaseUrls = localDatabaseUrls(engines.databaseUrl);
  const passedOn = Object.fromEntries(PASSED_ON.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

  const service = (name: DatabaseOwner, own: Record<string, string>): ServiceProcess => ({
    name,
    entry: `services/${name}/src/main.ts`,
    internalUrl: urls[internalPortOf(name)],
    env: {
      ...passedOn,
      NODE_COMPILE_CACHE: options.compileCache,
      HOST: '127.0.0.1',
      INTERNAL_PORT: String(ports[internalPortOf(name)]),
      IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeys,
      ...(name !== 'webhooks' && { IDENTITY_PRIVATE_KEY_FILE: keys.privateKey(name) }),
      ENGINE_PASSWORDS_FILE: keys.servicePasswords(name),
      DATABASE_URL: databaseUrls[name],
      KAFKA_BROKERS: engines.kafkaBrokers,
      // A Kafka that isn't ours lets everybody in.
      ...(engines.setKafkaUser && { KAFKA_USERNAME: name }),
      ...own,
    },
  });

  return [
    service('scheduling', {
      PORT: String(ports.scheduling),
      GATEWAY_INTERNAL_URL: urls.gatewayInternal,
      CRM_INTERNAL_URL: urls.crmInternal,
    }),
    service('crm', {
      PORT: String(ports.crm),
      GATEWAY_INTERNAL_URL: urls.gatewayInternal,
      SCHEDULING_INTERNAL_URL: urls.schedulingInternal,
    }),
    service('calls', {
      PORT: String(ports.calls),
      GATEWAY_INTERNAL_URL: urls.gatewayInternal,
      CRM_INTERNAL_URL: urls.crmInternal,
      SCHEDULING_INTERNAL_URL: urls.schedulingInternal,
      SECRET_KEYS_FILE: keys.secretKeys('calls'),
      // A tunnel's address, say, so that providers find a system on this machine.
      PUBLIC_URL: env.PUBLIC_URL || urls.gateway,
    }),
    service('webhooks', {
      PORT: String(ports.webhooks),
      SECRET_KEYS_FILE: keys.secretKeys('webhooks'),
      ALLOW_HTTP_ENDPOINTS: 'true',
      ALLOW_PRIVATE_ENDPOINTS: 'true',
    }),
    service('gateway', {
      PORT: String(ports.gateway),
      REDIS_URL: redisUrlOf('gateway'),
      SCHEDULING_URL: urls.schedulingApi,
      CRM_URL: urls.crmApi,
      CALLS_URL: urls.callsApi,
      WEBHOOKS_URL: urls.webhooksApi,
      CALLS_INTERNAL_URL: urls.callsInternal,
      CRM_INTERNAL_URL: urls.crmInternal,
      SCHEDULING_INTERNAL_URL: urls.schedulingInternal,
      WEBHOOKS_INTERNAL_URL: urls.webhooksInternal,
      PUBLIC_URL: env.PUBLIC_URL || urls.gateway,
    }),
    service('settings-ui', {
      PORT: String(ports.settingsUi),
      REDIS_URL: redisUrlOf('settings-ui'),
      SECRET_KEYS_FILE: keys.secretKeys('settings-ui'),
      GATEWAY_INTERNAL_URL: urls.gatewayInternal,
      SCHEDULING_INTERNAL_URL: urls.schedulingInternal,
      CRM_INTERNAL_URL: urls.crmInternal,
      CALLS_INTERNAL_URL: urls.callsInternal,
      WEBHOOKS_INTERNAL_URL: urls.webhooksInternal,
      SETTINGS_URL: env.SETTINGS_URL || urls.settingsUi,
      PUBLIC_URL: env.PUBLIC_URL || urls.gateway,
      SMTP_URL: env.SMTP_URL ?? '',
      MAIL_FROM: env.MAIL_FROM ?? '',
      DESIGN_PAGE: 'true',
    }),
  ];
}

/** The name of a service's internal port. */
export function internalPortOf(name: DatabaseOwner) {
  return name === 'settings-ui' ? 'settingsUiInternal' : (`${name}Internal` as const);
}
