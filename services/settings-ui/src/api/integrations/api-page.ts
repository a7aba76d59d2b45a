import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DeliveryFilter, deliveryFilter } from '../../domain/integrations/delivery-filter.ts';
import { loadApiSettings } from '../../use-cases/load-api-settings.ts';
import { apiPage, type JustNow } from '../../views/integrations/api-page.view.ts';
import { DELIVERIES_PER_PAGE } from '../../views/integrations/delivery-log.view.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import type { FailurePage } from '../shared/pages.ts';
import { refusalOf } from '../shared/refusals.ts';

export type ApiPage = ReturnType<typeof createApiPage>;

export function createApiPage(deps: AreaDeps) {
  const { pages, publicUrl } = deps;
  /** The whole page, as it is now, with what a change leaves on it. */
  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    options: { filter?: DeliveryFilter; justNow?: JustNow } = {},
  ) => {
    const { filter = deliveryFilter.parse({}), justNow = {} } = options;
    const settings = await loadApiSettings(deps, request.tenantId, {
      filter,
      perPage: DELIVERIES_PER_PAGE,
      list: deps.webhooks.deliverySummaries,
    });
    return pages.send(reply, apiPage(pages.context(request), { settings, filter, publicUrl, justNow }));
  };
  /** The page with the refusal of a change that has no fields. */
  const showRefusal: FailurePage = (request, reply, error) =>
    show(request, reply, { justNow: { refusal: refusalOf(error) } });
  return { show, showRefusal };
}
