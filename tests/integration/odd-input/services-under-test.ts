import { buildCalls } from '../../../services/calls/src/app.ts';
import { configSchema as callsConfig } from '../../../services/calls/src/config.ts';
import { migrations as callsMigrations } from '../../../services/calls/src/migrations/index.ts';
import { buildCrm } from '../../../services/crm/src/app.ts';
import { configSchema as crmConfig } from '../../../services/crm/src/config.ts';
import { migrations as crmMigrations } from '../../../services/crm/src/migrations/index.ts';
import { buildGateway } from '../../../services/gateway/src/app.ts';
import { configSchema as gatewayConfig } from '../../../services/gateway/src/config.ts';
import { migrations as gatewayMigrations } from '../../../services/gateway/src/migrations/index.ts';
import { buildScheduling } from '../../../services/scheduling/src/app.ts';
import { configSchema as schedulingConfig } from '../../../services/scheduling/src/config.ts';
import { migrations as schedulingMigrations } from '../../../services/scheduling/src/migrations/index.ts';
import { buildWebhooks } from '../../../services/webhooks/src/app.ts';
import { configSchema as webhooksConfig } from '../../../services/webhooks/src/config.ts';
import { migrations as webhooksMigrations } from '../../../services/webhooks/src/migrations/index.ts';
import { startUnderTest, type UnderTest } from './service-under-test.ts';

/** Every service with a database of tenants. */
export const SERVICES: [name: string, start: () => Promise<UnderTest>][] = [
  [
    'crm',
    () =>
      startUnderTest({ name: 'crm', configSchema: crmConfig, migrations: crmMigrations, build: buildCrm }),
  ],
  [
    'calls',
    () =>
      startUnderTest({
        name: 'calls',
        configSchema: callsConfig,
        migrations: callsMigrations,
        build: buildCalls,
      }),
  ],
  [
    'webhooks',
    () =>
      startUnderTest({
        name: 'webhooks',
        configSchema: webhooksConfig,
        migrations: webhooksMigrations,
        build: buildWebhooks,
      }),
  ],
  [
    'gateway',
    () =>
      startUnderTest({
        name: 'gateway',
        configSchema: gatewayConfig,
        migrations: gatewayMigrations,
        build: buildGateway,
      }),
  ],
  [
    'scheduling',
    () =>
      startUnderTest({
        name: 'scheduling',
        configSchema: schedulingConfig,
        migrations: schedulingMigrations,
        build: buildScheduling,
      }),
  ],
];
