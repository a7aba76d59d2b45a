import { run } from '@frontdesk/service';
import { configSchema } from './config.ts';
import { buildGateway } from './service.ts';

void run({
  name: 'gateway',
  configSchema,
  build: async (config, context) => (await buildGateway(config, context)).components,
});
