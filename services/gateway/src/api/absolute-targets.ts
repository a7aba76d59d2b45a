import type { App } from '@frontdesk/service';

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Some clients behind a proxy of their own name the whole address: `GET http://host/api/v1/customers`. A server has to
 * accept that (RFC 9112, 3.2.2); only the path counts, for routing, for the backend and for the log.
 */
export function acceptAbsoluteTargets(app: App): void {
  app.server.prependListener('request', (request) => {
    const { url = '' } = request;
    if (url.startsWith('/') || !ORIGIN.test(url)) return;
    const path = url.replace(ORIGIN, '');
    request.url = path.startsWith('/') ? path : `/${path}`;
  });
}
