import { run } from '@frontdesk/service';
import { buildGateway } from './app.ts';
import { configSchema } from './config.ts';

void run({
  name: 'gateway',
  configSchema,
  build: async (config, context) => (await buildGateway(config, context)).components,
});
