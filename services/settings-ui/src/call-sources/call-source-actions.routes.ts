import { callSourceSchema, callSourceWithSecret, dataOf, pathId, testCallSchema } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { recordChanges } from '../changes/record-actions.ts';
import { customerNames } from '../customers/customer-names.ts';
import { SOURCES, sourceAddress } from '../records/addresses.rules.ts';
import type { By } from '../session/session.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { rotateForm, testCallForm } from './call-source-form.rules.ts';
import { SOURCE } from './call-sources.routes.ts';
import { type CallSourcesPage, refusedSourceForm, sourceIdOf } from './call-sources-page.ts';

const params = pathId;
const config = { resource: 'Call source' };

/** What is done with a source: pause and resume, its end, another secret, a test call. */
export function callSourceActionRoutes(
  app: App,
  { calls, changes, customers, page }: AreaDeps & { page: CallSourcesPage },
): void {
  const subjectOf = async (by: By, id: number) => (await calls.source(by, id)).name;
  const { post, remove } = recordChanges(app, {
    changes,
    single: SOURCE,
    config: { ...config, errorPage: page.showError },
    subjectOf,
  });
  post({
    verb: 'pause',
    action: 'call_source_paused',
    isAlwaysMade: true,
    notice: 'source-paused',
    schema: callSourceSchema,
    to: sourceAddress,
    work: ({ session: by }, id) => calls.changeSource(by, id, { is_active: false }),
  });
  post({
    verb: 'resume',
    action: 'call_source_resumed',
    notice: 'source-resumed',
    schema: callSourceSchema,
    to: sourceAddress,
    work: ({ session: by }, id) => calls.changeSource(by, id, { is_active: true }),
  });
  remove({
    action: 'call_source_deleted',
    isAlwaysMade: true,
    notice: 'source-deleted',
    to: () => SOURCES,
    work: ({ session: by }, id) => calls.deleteSource(by, id),
  });

  app.post(
    `${SOURCE}/rotate`,
    {
      config: {
        ...config,
        isAlwaysMade: true,
        needsConfirmation: true,
        sentOnce: { notice: 'already-replaced', to: SOURCE },
        errorPage: (request, reply, error) =>
          page.showSource(request, reply, sourceIdOf(request), {
            rotateForm: refusedSourceForm(request, error, ['secret']),
          }),
      },
      schema: { params, body: rotateForm, response: { 200: dataOf(callSourceWithSecret) } },
    },
    async (request, reply) => {
      const { session: by, body } = request;
      const { id } = request.params;
      const subject = await subjectOf(by, id);
      const data = await changes.make(request, { action: 'call_secret_replaced', subject, record: id }, () =>
        calls.rotateSecret(by, id, body),
      );
      return wantsJson(request) ? ok(data) : page.showSource(request, reply, id, { secret: data.secret });
    },
  );

  app.post(
    `${SOURCE}/test`,
    {
      config: {
        ...config,
        sentOnce: { notice: 'already-tested', to: SOURCE },
        errorPage: (request, reply, error) =>
          page.showSource(request, reply, sourceIdOf(request), {
            testForm: refusedSourceForm(request, error, ['from_number', 'is_real']),
          }),
      },
      schema: { params, body: testCallForm, response: { 200: dataOf(testCallSchema) } },
    },
    async (request, reply) => {
      const { session: by, body } = request;
      const { id } = request.params;
      const subject = await subjectOf(by, id);
      const make = () => calls.testCall(by, id, body);
      // Without a trace elsewhere there is nothing to write down.
      const change = { action: 'test_call_made', subject } as const;
      const test = body.is_real ? await changes.make(request, change, make) : await make();
      if (wantsJson(request)) return ok(test);
      const ids = test.customer_id === null ? [] : [test.customer_id];
      const names = await customerNames(customers, by, ids);
      const customerName = names?.get(test.customer_id ?? 0) ?? null;
      return page.showSource(request, reply, id, { test: { test, customerName } });
    },
  );
}
