import { openApiDocument } from '@frontdesk/contracts';
import type { Route } from './request-context.ts';

const PATH = '/openapi.json';

/** What API v1 is, for programs and for whoever generates a client. It holds nothing of any tenant, so it takes no key. */
export function openApiRoute(): Route {
  const document = Buffer.from(JSON.stringify(openApiDocument()));
  const head = {
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
    'content-type': 'application/json; charset=utf-8',
    'content-length': document.length,
  };
  return {
    name: PATH,
    methods: ['GET', 'HEAD'],
    takesNoKey: true,
    matches: (path) => path === PATH,
    async answer({ response, headers }) {
      response.writeHead(200, { ...headers, ...head }).end(document);
    },
  };
}
