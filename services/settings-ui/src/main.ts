import { run } from '@frontdesk/service';
import { configSchema } from './config.ts';
import { buildSettingsUi } from './service.ts';

await run({
  name: 'settings-ui',
  configSchema,
  build: async (config, context) => (await buildSettingsUi(config, context)).components,
});
