import { run } from '@frontdesk/service';
import { buildScheduling } from './app.ts';
import { configSchema } from './config.ts';

await run({
  name: 'scheduling',
  configSchema,
  build: async (config, context) => (await buildScheduling(config, context)).components,
});
