import { createdEndpoint, createEndpointBody, dataOf, endpointSchema, pathId } from '@frontdesk/contracts';
import { type App, notFound, ok } from '@frontdesk/service';
import { z } from 'zod';
import { type CreateEndpointDeps, createEndpoint } from '../use-cases/create-endpoint.ts';

const PATH = '/internal/tenants/:tenant_id/webhooks';

export function endpointRoutes(app: App, deps: CreateEndpointDeps): void {
  const { endpoints } = deps;

  app.post(
    PATH,
    { schema: { body: createEndpointBody, response: { 201: dataOf(createdEndpoint) } } },
    async (request, reply) => {
      const created = await createEndpoint(deps, request.tenantId, request.body);
      return reply.code(201).send(ok(created));
    },
  );

  app.get(PATH, { schema: { response: { 200: dataOf(z.array(endpointSchema)) } } }, async (request) =>
    ok(await endpoints.list(request.tenantId)),
  );

  app.delete(
    `${PATH}/:id`,
    {
      schema: {
        params: pathId,
        response: { 200: dataOf(z.object({ id: z.int(), deleted: z.literal(true) })) },
      },
      config: { resource: 'Webhook endpoint' },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await endpoints.delete(request.tenantId, id))) throw notFound('Webhook endpoint');
      return ok({ id, deleted: true as const });
    },
  );
}
