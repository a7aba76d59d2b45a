import { type Operation, openApiDocument } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';

/** API v1 for programs, for example to generate a client. It holds nothing of any tenant, so it takes no key. */
export function openApiRoute(app: App, operations: readonly Operation[]): void {
  const document = JSON.stringify(openApiDocument(operations));
  app.get('/openapi.json', { config: { takesNoKey: true } }, (_request, reply) => {
    reply
      .headers({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' })
      .type('application/json; charset=utf-8')
      .send(document);
  });
}
