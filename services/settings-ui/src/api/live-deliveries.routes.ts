import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '@frontdesk/service';
import { zoneOf } from '../domain/api-settings.ts';
import { type DeliveryFilter, deliveryFilter, logQuery } from '../domain/delivery-filter.ts';
import { type ApiSettingsClients, orNull } from '../use-cases/load-api-settings.ts';
import { DELIVERIES_PER_PAGE, deliveryList } from '../views/delivery-log.view.ts';

const LOOK_EVERY_MS = 1_000;
/** Then the browser comes again, which shows whether it is still signed in. */
const LASTS_MS = 60_000;
/** Each of them asks the webhooks service every second; who finds no room reloads the page. */
const MAX_STREAMS = 100;
const NO_CONTENT = 204;

/** The delivery log as server-sent events: its markup, whenever that has changed. */
export function liveDeliveriesRoutes(app: App, clients: ApiSettingsClients): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  let streams = 0;

  const markup = async (tenantId: number, filter: DeliveryFilter, zone: string) => {
    const [deliveries, endpoints] = await Promise.all([
      orNull(clients.webhooks.deliveries(tenantId, logQuery(filter, zone, DELIVERIES_PER_PAGE))),
      orNull(clients.webhooks.endpoints(tenantId)),
    ]);
    return deliveryList({ deliveries, endpoints, filter, zone }).toString();
  };

  async function* events(tenantId: number, filter: DeliveryFilter, signal: AbortSignal) {
    streams += 1;
    try {
      const zone = zoneOf({ tenant: await orNull(clients.gateway.tenant(tenantId)) });
      let shown = '';
      while (!signal.aborted) {
        const current = await markup(tenantId, filter, zone);
        if (current !== shown) yield `data: ${JSON.stringify(current)}\n\n`;
        shown = current;
        await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
      }
    } finally {
      streams -= 1;
    }
  }

  app.get(
    '/settings/api/deliveries/live',
    // Compressed, events would wait in the compressor.
    {
      compress: false,
      schema: { querystring: deliveryFilter },
      // Tells a browser to come no more, with whoever is not signed in any more for example.
      errorHandler: (_error, _request, reply) => void reply.code(NO_CONTENT).send(),
    },
    async ({ tenantId, query, raw }, reply) => {
      if (streams >= MAX_STREAMS) return reply.code(NO_CONTENT).send();
      const gone = new AbortController();
      raw.once('close', () => gone.abort());
      const signal = AbortSignal.any([closing.signal, gone.signal, AbortSignal.timeout(LASTS_MS)]);
      return reply
        .headers({ 'cache-control': 'no-store' })
        .type('text/event-stream')
        .send(Readable.from(events(tenantId, query, signal)));
    },
  );
}
