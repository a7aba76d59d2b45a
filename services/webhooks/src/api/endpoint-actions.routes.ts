import { dataOf, deliverySchema, pathId, rotatedSecret, rotateSecretBody } from '@frontdesk/contracts';
import { type Database, idempotent } from '@frontdesk/database';
import { type App, etagOf, matching, ok } from '@frontdesk/service';
import { replaceSecret } from '../use-cases/rotate-secret.ts';
import { sendTest } from '../use-cases/send-test.ts';

const SINGLE = '/internal/tenants/:tenant_id/webhooks/:id';
const params = pathId.loose();
const config = { resource: 'Webhook endpoint' };

export function endpointActionRoutes(app: App, deps: { database: Database; onWaiting: () => void }): void {
  const { database, onWaiting } = deps;

  app.post(
    `${SINGLE}/rotate-secret`,
    { config, schema: { params, body: rotateSecretBody, response: { 200: dataOf(rotatedSecret) } } },
    async (request, reply) => {
      const scope = database.forTenant(request.tenantId);
      const options = { force: request.body.force, requireVersion: matching(request) };
      return idempotent({ request, reply, scope }, (transaction) =>
        transaction(async (tx) => {
          const { version, record } = await replaceSecret(tx, request.params.id, options);
          return { status: 200, body: ok(record), headers: { etag: etagOf(version) } };
        }),
      );
    },
  );

  app.post(
    `${SINGLE}/test`,
    { config, schema: { params, response: { 202: dataOf(deliverySchema) } } },
    async (request, reply) => {
      const scope = database.forTenant(request.tenantId);
      return idempotent({ request, reply, scope }, async (transaction) => {
        const answer = await transaction(async (tx) => ({
          status: 202,
          body: ok(await sendTest(tx, request.params.id)),
        }));
        onWaiting();
        return answer;
      });
    },
  );
}
