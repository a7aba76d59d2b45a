import type { App } from '@frontdesk/service';
import { originForm } from '../domain/request-target.ts';

/** Whatever the target looks like, it is routed as a path: so the key comes first, and what is wrong with it afterwards. */
export function routeAnyTarget(app: App): void {
  app.server.prependListener('request', (request) => {
    request.url = originForm(request.url ?? '');
  });
}
