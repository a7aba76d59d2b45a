import { type FieldFaults, queryId } from '@frontdesk/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AreaDeps } from '../area-deps.ts';
import { orNull } from '../clients/or-null.ts';
import type { WebhooksClient } from '../clients/webhooks.client.ts';
import { regionOf } from '../region/region.rules.ts';
import { errorText } from '../ui/form-errors.ts';
import { EMPTY_FORM, type FormState } from '../ui/page-context.ts';
import type { ErrorPage } from '../ui/pages.ts';
import { endpointPage } from './endpoint.view.ts';
import { loadEndpoint } from './load-endpoint.ts';

/** An address that can't be an endpoint's, beside the other faults of a request: its owner knows. */
export const urlFaults =
  (webhooks: WebhooksClient) =>
  async ({ body, session: by }: FastifyRequest): Promise<FieldFaults> => {
    const { url } = (body ?? {}) as { url?: unknown };
    const faults = typeof url === 'string' ? await webhooks.urlFaults(by, url) : null;
    return faults ? { url: faults } : {};
  };

export type EndpointPage = ReturnType<typeof createEndpointPage>;

/** The test event that the page was asked to show. What can't be read is as good as left out. */
export const testQuery = z.object({ test: queryId.optional().catch(undefined) });

export function createEndpointPage(deps: AreaDeps) {
  const { gateway, pages } = deps;
  /**
   * The page of the endpoint that the path names, as it is now.
   * @throws AppError 404 where the tenant has none such.
   */
  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    forms: { changeForm?: FormState; replayForm?: FormState; refusal?: string } = {},
  ) => {
    const { session: by } = request;
    const { id } = request.params as { id: number };
    const { test } = testQuery.parse(request.query);
    const [loaded, tenant] = await Promise.all([
      loadEndpoint(deps, by, { id, test }),
      orNull(gateway.tenant(by)),
    ]);
    const { changeForm = EMPTY_FORM, replayForm = EMPTY_FORM, refusal } = forms;
    const page = { ...loaded, region: regionOf({ tenant }), changeForm, replayForm, refusal };
    return pages.send(reply, endpointPage(pages.context(request), page));
  };
  /** The page with the refusal of a change that has no fields. */
  const showError: ErrorPage = (request, reply, error) => show(request, reply, { refusal: errorText(error) });
  return { show, showError };
}
