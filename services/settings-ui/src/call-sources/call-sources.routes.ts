import { callSourceSchema, callSourceWithSecret, dataOf, pathId } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import { SOURCES, sourceAddress } from '../records/addresses.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { addSourceForm, changeSourceForm } from './call-source-form.rules.ts';
import { type CallSourcesPage, refusedSourceForm, sourceIdOf } from './call-sources-page.ts';

export const SOURCE = `${SOURCES}/:id` as const;

const ADD_FIELDS = ['provider', 'name', 'secret'];
const SETTINGS_FIELDS = [
  ...['name', 'creates_leads', 'classifies_sentiment'],
  ...['scheme', 'signature_header', 'timestamp_header', 'payload'],
];

/** Where calls come from: listed, added, shown, changed. */
export function callSourceRoutes(
  app: App,
  { calls, changes, page }: AreaDeps & { page: CallSourcesPage },
): void {
  const config = { resource: 'Call source' };

  app.get(
    SOURCES,
    { schema: { response: { 200: dataOf(callSourceSchema.array()) } } },
    async (request, reply) => {
      if (!wantsJson(request)) return page.showAll(request, reply);
      return ok(await calls.sources(request.session));
    },
  );

  app.post(
    SOURCES,
    {
      schema: { body: addSourceForm, response: { 201: dataOf(callSourceWithSecret) } },
      config: {
        needsConfirmation: true,
        sentOnce: { notice: 'already-created', to: SOURCES },
        errorPage: (request, reply, error) =>
          page.showAll(request, reply, refusedSourceForm(request, error, ADD_FIELDS)),
      },
    },
    async (request, reply) => {
      const { session: by, body } = request;
      const change = { action: 'call_source_added', subject: body.name } as const;
      const source = await changes.make(request, change, () => calls.addSource(by, body));
      reply.code(201);
      if (wantsJson(request)) return ok(source);
      return page.showSource(request, reply, source.id, { secret: source.secret });
    },
  );

  app.get(
    SOURCE,
    { config, schema: { params: pathId, response: { 200: dataOf(callSourceSchema) } } },
    async (request, reply) => {
      const { session: by, params } = request;
      if (!wantsJson(request)) return page.showSource(request, reply, params.id);
      return ok(await calls.source(by, params.id));
    },
  );

  app.post(
    SOURCE,
    {
      schema: { params: pathId, body: changeSourceForm, response: { 200: dataOf(callSourceSchema) } },
      config: {
        ...config,
        needsConfirmation: true,
        errorPage: (request, reply, error) =>
          page.showSource(request, reply, sourceIdOf(request), {
            settingsForm: refusedSourceForm(request, error, SETTINGS_FIELDS),
          }),
      },
    },
    async (request, reply) => {
      const { session: by, params, body } = request;
      const { name: subject } = await calls.source(by, params.id);
      const data = await changes.make(request, { action: 'call_source_changed', subject }, () =>
        calls.changeSource(by, params.id, body),
      );
      const to = sourceAddress(params.id);
      return answerChange(request, reply, { data, notice: 'source-changed', to });
    },
  );
}
