import { run } from '@frontdesk/service';
import { buildCrm } from './app.ts';
import { configSchema } from './config.ts';

await run({
  name: 'crm',
  configSchema,
  build: async (config, context) => (await buildCrm(config, context)).components,
});
