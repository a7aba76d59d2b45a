import type { App } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { SETTINGS } from '../ui/navigation.rules.ts';
import { settingsIndexPage } from './settings-index.view.ts';

/** The list of all settings, which phones have no room for beside them. */
export function settingsIndexRoutes(app: App, { pages }: AreaDeps): void {
  app.get(SETTINGS, async (request, reply) => pages.send(reply, settingsIndexPage(pages.context(request))));
}
