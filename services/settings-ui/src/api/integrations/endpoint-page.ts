import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayClient } from '../../clients/gateway.client.ts';
import type { ReplaysClient } from '../../clients/replays.client.ts';
import type { WebhooksClient } from '../../clients/webhooks.client.ts';
import { zoneOf } from '../../domain/dates.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { endpointPage } from '../../views/integrations/endpoint.view.ts';
import { EMPTY_FORM, type FormState } from '../../views/shared/page-context.ts';
import type { Pages } from '../shared/pages.ts';

export interface EndpointPageDeps {
  gateway: Pick<GatewayClient, 'tenant'>;
  webhooks: WebhooksClient;
  replays: ReplaysClient;
  pages: Pages;
}

export interface EndpointPage {
  /** The page of the endpoint that the path names, as it is now. @throws AppError 404 where the tenant has none such. */
  show(
    request: FastifyRequest,
    reply: FastifyReply,
    forms?: { changeForm?: FormState; replayForm?: FormState },
  ): Promise<FastifyReply>;
}

export function createEndpointPage({ gateway, webhooks, replays, pages }: EndpointPageDeps): EndpointPage {
  return {
    async show(request, reply, forms = {}) {
      const { tenantId } = request;
      const { id } = request.params as { id: number };
      const [endpoint, tenant, latest, failedCount] = await Promise.all([
        orNull(webhooks.endpoint(tenantId, id)),
        orNull(gateway.tenant(tenantId)),
        orNull(replays.latest(tenantId, id)),
        orNull(replays.failedCount(tenantId, id)),
      ]);
      const { changeForm = EMPTY_FORM, replayForm = EMPTY_FORM } = forms;
      const page = {
        id,
        endpoint,
        failedCount,
        replays: latest,
        zone: zoneOf({ tenant }),
        changeForm,
        replayForm,
      };
      return pages.send(reply, endpointPage(pages.context(request), page));
    },
  };
}
