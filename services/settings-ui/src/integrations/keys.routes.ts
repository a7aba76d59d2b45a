import { apiKeySchema, createKeyBody, dataOf, keyMade } from '@frontdesk/contracts';
import { type App, notFound, ok } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { recordChanges } from '../changes/record-actions.ts';
import { wantsJson } from '../ui/accept.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import type { ApiPage } from './api-page.ts';
import { createKey } from './create-key.ts';

const KEYS = '/settings/api/keys';
const KEYS_CARD = '/settings/api#keys';

export function keyRoutes(
  app: App,
  { gateway, database, changes, page }: AreaDeps & { page: ApiPage },
): void {
  const config = { resource: 'API key', errorPage: page.showError, needsConfirmation: true };

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
        needsConfirmation: true,
        sentOnce: { notice: 'already-created', to: KEYS_CARD },
        errorPage: (request, reply, error) =>
          page.show(request, reply, { justNow: { keyForm: formWithErrors(request, error, ['name']) } }),
      },
    },
    async (request, reply) => {
      const { tenantId, body, session } = request;
      const key = await changes.make(
        request,
        {
          action: 'key_created',
          subject: body.name,
          subjectOf: ({ name, last_four }) => `${name} (…${last_four})`,
        },
        () => {
          const scope = database.forTenant(tenantId);
          return createKey({ gateway, scope, log: request.log }, { name: body.name, by: session.email });
        },
      );
      reply.code(201);
      return wantsJson(request) ? ok(key) : page.show(request, reply, { justNow: { key } });
    },
  );

  const { post, remove } = recordChanges(app, { changes, single: `${KEYS}/:id`, config, subjectOf });
  post({
    verb: 'revoke',
    action: 'key_revoked',
    isAlwaysMade: true,
    notice: 'key-revoked',
    schema: apiKeySchema,
    to: () => KEYS_CARD,
    work: ({ tenantId }, id) => gateway.revokeKey(tenantId, id),
  });
  remove({
    action: 'key_deleted',
    isAlwaysMade: true,
    notice: 'key-deleted',
    to: () => KEYS_CARD,
    work: ({ tenantId }, id) => gateway.deleteKey(tenantId, id),
  });
}
