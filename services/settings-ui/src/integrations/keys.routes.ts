import { apiKeySchema, dataOf, keyMade } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { recordChanges } from '../changes/record-actions.ts';
import type { By } from '../session/session.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import { requireOwnScopes } from '../ui/page-scopes.rules.ts';
import type { ApiPage } from './api-page.ts';
import { newKeyForm } from './key-form.rules.ts';
import { keyLabel } from './key-status.rules.ts';
import { makeKeyWithEmail } from './make-key.ts';

const KEYS = '/settings/api/keys';
const KEYS_CARD = '/settings/api#keys';
const FIELDS = ['name', 'preset', 'scopes', 'expires_at', 'networks'];

export function keyRoutes(
  app: App,
  { gateway, database, changes, page }: AreaDeps & { page: ApiPage },
): void {
  const config = { resource: 'API key', errorPage: page.showError, needsConfirmation: true };

  const subjectOf = async (by: By, id: number) => keyLabel((await gateway.key(by, id)).record);

  app.post(
    KEYS,
    {
      schema: { body: newKeyForm, response: { 201: dataOf(keyMade) } },
      config: {
        needsConfirmation: true,
        sentOnce: { notice: 'already-created', to: KEYS_CARD },
        errorPage: (request, reply, error) =>
          page.show(request, reply, { justNow: { keyForm: formWithErrors(request, error, FIELDS) } }),
      },
    },
    async (request, reply) => {
      const { tenantId, body, session } = request;
      requireOwnScopes(session, body.scopes);
      const key = await changes.make(
        request,
        {
          action: 'key_created',
          subject: body.name,
          subjectOf: keyLabel,
        },
        () => {
          const scope = database.forTenant(tenantId);
          return makeKeyWithEmail(
            { scope, log: request.log },
            { name: body.name, by: session.email, make: () => gateway.createKey(session, body) },
          );
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
    work: ({ session: by }, id) => gateway.revokeKey(by, id),
  });
  remove({
    action: 'key_deleted',
    isAlwaysMade: true,
    notice: 'key-deleted',
    to: () => KEYS_CARD,
    work: ({ session: by }, id) => gateway.deleteKey(by, id),
  });
}
