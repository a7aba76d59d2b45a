import { apiKeySchema, dataOf, keyMade, pathId } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import { orNull } from '../clients/or-null.ts';
import { regionOf } from '../region/region.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { errorText, recordFormWithErrors } from '../ui/form-errors.ts';
import { EMPTY_FORM, type FormState } from '../ui/page-context.ts';
import type { ErrorPage } from '../ui/pages.ts';
import type { ApiPage } from './api-page.ts';
import { keyPage } from './key.view.ts';
import { changedKeyForm, rollForm } from './key-form.rules.ts';
import { keyLabel } from './key-status.rules.ts';
import { makeKeyWithEmail } from './make-key.ts';

const KEYS = '/settings/api/keys';
const SINGLE = '/settings/api/keys/:id';
const resource = 'API key';

/** One key: what it may do and how it is used; it is changed, and another one takes its place. */
export function singleKeyRoutes(app: App, deps: AreaDeps & { page: ApiPage }): void {
  const { gateway, database, changes, pages, page: list } = deps;
  const single = { params: pathId, response: { 200: dataOf(apiKeySchema) } };

  /** @throws AppError 404 where the tenant has no such key */
  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    left: { form?: FormState; refusal?: string } = {},
  ) => {
    const { session: by } = request;
    const { id } = request.params as { id: number };
    const [key, use, tenant] = await Promise.all([
      orNull(gateway.key(by, id)),
      orNull(gateway.keyUse(by, id)),
      orNull(gateway.tenant(by)),
    ]);
    const region = regionOf({ tenant });
    const page = { key, use, region, nowMs: Date.now(), form: EMPTY_FORM, ...left };
    return pages.send(reply, keyPage(pages.context(request), page));
  };
  const showError: ErrorPage = (request, reply, error) => show(request, reply, { refusal: errorText(error) });

  app.get(SINGLE, { config: { resource }, schema: single }, async (request, reply) => {
    if (!wantsJson(request)) return show(request, reply);
    const { record, etag } = await gateway.key(request.session, request.params.id);
    return reply.header('etag', etag).send(ok(record));
  });

  app.post(
    SINGLE,
    {
      config: {
        resource,
        needsConfirmation: true,
        errorPage: (request, reply, error) =>
          show(request, reply, {
            form: recordFormWithErrors(request, error, ['name', 'scopes', 'expires_at', 'networks']),
          }),
      },
      schema: { ...single, body: changedKeyForm },
    },
    async (request, reply) => {
      const { session: by, body } = request;
      const { id } = request.params;
      const { version, ...fields } = body;
      const { record: before } = await gateway.key(by, id);
      const subjectOf = ({ name }: { name: string }) =>
        name === before.name ? keyLabel(before) : `${keyLabel(before)} → ${name}`;
      const change = { action: 'key_changed', subject: keyLabel(before), subjectOf, record: id } as const;
      const data = await changes.make(request, change, () => gateway.changeKey(by, id, fields, version));
      return answerChange(request, reply, { data, notice: 'key-changed', to: `${KEYS}/${id}` });
    },
  );

  app.post(
    `${SINGLE}/roll`,
    {
      config: {
        resource,
        needsConfirmation: true,
        errorPage: showError,
        sentOnce: { notice: 'key-already-replaced', to: SINGLE },
      },
      schema: { params: pathId, body: rollForm, response: { 201: dataOf(keyMade) } },
    },
    async (request, reply) => {
      const { tenantId, session: by, body } = request;
      const { id } = request.params;
      const { record: before } = await gateway.key(by, id);
      const change = {
        action: 'key_rolled',
        subject: keyLabel(before),
        subjectOf: ({ last_four }: { last_four: string }) => `${keyLabel(before)} → …${last_four}`,
        record: id,
      } as const;
      const key = await changes.make(request, change, () =>
        makeKeyWithEmail(
          { scope: database.forTenant(tenantId), log: request.log },
          { name: before.name, by: by.email, make: () => gateway.rollKey(by, id, body.hours) },
        ),
      );
      reply.code(201);
      return wantsJson(request) ? ok(key) : list.show(request, reply, { justNow: { key } });
    },
  );
}
