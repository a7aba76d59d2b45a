import { run } from '@frontdesk/service';
import { configSchema } from './config.ts';
import { buildWebhooks } from './service.ts';

await run({
  name: 'webhooks',
  configSchema,
  build: async (config, context) => (await buildWebhooks(config, context)).components,
});
