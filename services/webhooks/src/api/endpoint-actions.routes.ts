import { idempotent } from '@frontdesk/chassis';
import { dataOf, deliverySchema, pathId, rotatedSecret, rotateSecretBody } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, etagOf, matching, ok } from '@frontdesk/service';
import { deliveryRecord } from '../domain/delivery.ts';
import type { SigningSecrets } from '../state/signing-secrets.ts';
import { type Rotation, rotateSecret } from '../use-cases/rotate-secret.ts';
import { sendTest } from '../use-cases/send-test.ts';
import { answerWithSecret } from './answer-with-secret.ts';

const SINGLE = '/internal/tenants/:tenant_id/webhooks/:id';
const params = pathId.loose();
/** A repetition shows the secret only as long as the endpoint is what it was. */
const repeatable = rotatedSecret.partial({ secret: true });
const config = { resource: 'Webhook endpoint' };

export function endpointActionRoutes(
  app: App,
  deps: { database: Database; secrets: SigningSecrets; onWaiting: () => void },
): void {
  const { database, secrets, onWaiting } = deps;

  app.post(
    `${SINGLE}/rotate-secret`,
    { config, schema: { params, body: rotateSecretBody, response: { 200: dataOf(repeatable) } } },
    async (request, reply) => {
      const options = { force: request.body.force, requireVersion: matching(request) };
      return answerWithSecret<Rotation>({ request, reply, database, secrets }, (transaction) =>
        transaction(async (tx) => {
          const { version, record, secret } = await rotateSecret(tx, secrets, request.params.id, options);
          const answer = { status: 200, body: ok(record), headers: { etag: etagOf(version) } };
          return { answer, secret };
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
          body: ok(deliveryRecord(await sendTest(tx, request.params.id))),
        }));
        onWaiting();
        return answer;
      });
    },
  );
}
