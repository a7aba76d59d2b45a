import { run } from '@frontdesk/service';
import { configSchema } from './config.ts';
import { buildScheduling } from './service.ts';

await run({
  name: 'scheduling',
  configSchema,
  build: async (config, context) => (await buildScheduling(config, context)).components,
});
