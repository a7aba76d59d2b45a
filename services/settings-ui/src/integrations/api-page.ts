import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { DELIVERIES_PER_PAGE } from '../deliveries/delivery-log.view.ts';
import { type DeliveryFilter, deliveryFilter } from '../records/delivery-filter.rules.ts';
import { errorText } from '../ui/form-errors.ts';
import type { ErrorPage } from '../ui/pages.ts';
import { apiPage, type JustNow } from './api-page.view.ts';
import { loadApiPage } from './load-api-page.ts';

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
    const settings = await loadApiPage(deps, request.session, {
      filter,
      perPage: DELIVERIES_PER_PAGE,
      list: deps.webhooks.deliverySummaries,
    });
    return pages.send(reply, apiPage(pages.context(request), { settings, filter, publicUrl, justNow }));
  };
  /** The page with the refusal of a change that has no fields. */
  const showError: ErrorPage = (request, reply, error) =>
    show(request, reply, { justNow: { refusal: errorText(error) } });
  return { show, showError };
}
