import type { Delivery, EndpointAdmin, WebhookEventName } from '@frontdesk/contracts';
import { eventually, type Receiver } from '../../support/index.ts';
import type { RunningWebhooks } from './webhooks-world.ts';

/** What an operator does with one tenant's webhooks. */
export function hooksOf(world: RunningWebhooks, tenantId: number) {
  const send = world.asOperator(tenantId);
  const log = async (query = '') => {
    const { status, body } = await send('GET', `/deliveries${query}`);
    expect(status).toBe(200);
    return body.data as Delivery[];
  };
  return {
    send,
    log,
    async create(receiver: Pick<Receiver, 'url'>, events: WebhookEventName[] = ['appointment.created']) {
      const { status, body } = await send('POST', '', { url: `${receiver.url}/hook`, events });
      expect(status).toBe(201);
      return body.data as { id: number; url: string; secret: string };
    },
    async show(id: number): Promise<EndpointAdmin> {
      return (await send('GET', `/${id}`)).body.data;
    },
    /** The log, once it says this of all deliveries, the newest first. */
    settled: (...statuses: Delivery['status'][]) =>
      eventually(async () => {
        const deliveries = await log();
        expect(deliveries.map(({ status }) => status)).toEqual(statuses);
        return deliveries;
      }),
  };
}
