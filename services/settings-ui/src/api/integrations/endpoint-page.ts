import { queryId } from '@frontdesk/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { regionOf } from '../../domain/shared/region.ts';
import { loadEndpoint } from '../../use-cases/load-endpoint.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { endpointPage } from '../../views/integrations/endpoint.view.ts';
import { EMPTY_FORM, type FormState } from '../../views/shared/page-context.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import type { FailurePage } from '../shared/pages.ts';
import { refusalOf } from '../shared/refusals.ts';

export type EndpointPage = ReturnType<typeof createEndpointPage>;

/** The test event that the page was asked to show. What can't be read is as good as left out. */
export const testQuery = z.object({ test: queryId.optional().catch(undefined) });

export function createEndpointPage(deps: AreaDeps) {
  const { gateway, pages } = deps;
  /** The page of the endpoint that the path names, as it is now. @throws AppError 404 where the tenant has none such. */
  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    forms: { changeForm?: FormState; replayForm?: FormState; refusal?: string } = {},
  ) => {
    const { tenantId } = request;
    const { id } = request.params as { id: number };
    const { test } = testQuery.parse(request.query);
    const [loaded, tenant] = await Promise.all([
      loadEndpoint(deps, tenantId, { id, test }),
      orNull(gateway.tenant(tenantId)),
    ]);
    const { changeForm = EMPTY_FORM, replayForm = EMPTY_FORM, refusal } = forms;
    const page = { ...loaded, region: regionOf({ tenant }), changeForm, replayForm, refusal };
    return pages.send(reply, endpointPage(pages.context(request), page));
  };
  /** The page with the refusal of a change that has no fields. */
  const showRefusal: FailurePage = (request, reply, error) =>
    show(request, reply, { refusal: refusalOf(error) });
  return { show, showRefusal };
}
