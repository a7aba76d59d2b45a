import type { App } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { DESIGN, designPage } from './design.view.ts';

/** All parts that pages are made of, for those who build pages. It is in no navigation. */
export function designRoutes(app: App, { pages }: Pick<AreaDeps, 'pages'>): void {
  app.get(DESIGN, async (request, reply) => pages.send(reply, designPage(pages.context(request))));
}
