import { run } from '@frontdesk/service';
import { buildSettingsUi } from './app.ts';
import { configSchema } from './config.ts';

await run({
  name: 'settings-ui',
  configSchema,
  build: async (config, context) => (await buildSettingsUi(config, context)).components,
});
