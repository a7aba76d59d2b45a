import { run } from '@frontdesk/service';
import { buildCalls } from './app.ts';
import { configSchema } from './config.ts';

await run({
  name: 'calls',
  configSchema,
  build: async (config, context) => (await buildCalls(config, context)).components,
});
