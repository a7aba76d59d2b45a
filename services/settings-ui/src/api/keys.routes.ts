import { apiKeySchema, createKeyBody, dataOf, keyMade, pathId, removedRecord } from '@frontdesk/contracts';
import { type App, notFound, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeysClient } from '../clients/keys.client.ts';
import { wantsJson } from './accept.ts';
import type { ApiPage } from './api-page.ts';
import { answerChange, type Changes } from './changes.ts';
import { formStateOf } from './pages.ts';

const KEYS = '/settings/api/keys';
const single = { params: pathId };

export function keyRoutes(app: App, deps: { gateway: KeysClient; changes: Changes; page: ApiPage }): void {
  const { gateway, changes, page } = deps;
  const config = { resource: 'API key', failurePage: page.showRefusal };

  /** What the audit log calls it. @throws AppError 404 where the tenant has no such key. */
  const subjectOf = async (tenantId: number, id: number) => {
    const key = (await gateway.keys(tenantId)).find((candidate) => candidate.id === id);
    if (!key) throw notFound(config.resource);
    return `${key.name} (…${key.last_four})`;
  };

  app.post(
    KEYS,
    {
      schema: { body: createKeyBody, response: { 201: dataOf(keyMade) } },
      config: {
        failurePage: (request, reply, error) =>
          page.show(request, reply, { justNow: { keyForm: formStateOf(request, error, ['name']) } }),
      },
    },
    async (request, reply) => {
      const { tenantId, body } = request;
      const key = await changes.make(
        request,
        {
          action: 'key_created',
          subject: body.name,
          subjectOf: ({ name, last_four }) => `${name} (…${last_four})`,
        },
        () => gateway.createKey(tenantId, { name: body.name }),
      );
      reply.code(201);
      return wantsJson(request) ? ok(key) : page.show(request, reply, { justNow: { key } });
    },
  );

  app.post(
    `${KEYS}/:id/revoke`,
    { config, schema: { ...single, response: { 200: dataOf(apiKeySchema) } } },
    async (request, reply) => {
      const { tenantId, params } = request;
      const subject = await subjectOf(tenantId, params.id);
      const data = await changes.make(request, { action: 'key_revoked', subject }, () =>
        gateway.revokeKey(tenantId, params.id),
      );
      return answerChange(request, reply, { data, notice: 'key-revoked', at: 'keys' });
    },
  );

  const remove = async (request: FastifyRequest, reply: FastifyReply, id: number) => {
    const { tenantId } = request;
    const subject = await subjectOf(tenantId, id);
    const data = await changes.make(request, { action: 'key_deleted', subject }, () =>
      gateway.deleteKey(tenantId, id),
    );
    return answerChange(request, reply, { data, notice: 'key-deleted', at: 'keys' });
  };
  const removal = { config, schema: { ...single, response: { 200: dataOf(removedRecord) } } };
  app.delete(`${KEYS}/:id`, removal, (request, reply) => remove(request, reply, request.params.id));
  // Forms can send nothing but GET and POST.
  app.post(`${KEYS}/:id/delete`, removal, (request, reply) => remove(request, reply, request.params.id));
}
