import { run } from '@frontdesk/service';
import { configSchema } from './config.ts';
import { buildCalls } from './service.ts';

await run({
  name: 'calls',
  configSchema,
  build: async (config, context) => (await buildCalls(config, context)).components,
});
