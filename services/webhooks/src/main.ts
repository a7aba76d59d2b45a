import { run } from '@frontdesk/service';
import { buildWebhooks } from './app.ts';
import { configSchema } from './config.ts';

await run({
  name: 'webhooks',
  configSchema,
  build: async (config, context) => (await buildWebhooks(config, context)).components,
});
