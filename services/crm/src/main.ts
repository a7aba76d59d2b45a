import { run } from '@frontdesk/service';
import { configSchema } from './config.ts';
import { buildCrm } from './service.ts';

await run({
  name: 'crm',
  configSchema,
  build: async (config, context) => (await buildCrm(config, context)).components,
});
