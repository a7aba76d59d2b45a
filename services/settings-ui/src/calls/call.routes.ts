import { callAdminSchema, callListAdminEntry, dataOf, pathId } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import { CALLS, callAddress, MISSED } from '../records/addresses.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { errorText } from '../ui/form-errors.ts';
import { leadsToToday, TODAY } from '../ui/navigation.rules.ts';
import type { ErrorPage } from '../ui/pages.ts';
import { callPage } from './call.view.ts';
import { loadCall, loadCallBacks } from './load-calls.ts';
import { missedCallsPage } from './missed-calls.view.ts';

const CALL = `${CALLS}/:id` as const;

/** Which page a mark was set on, to go back there. */
const markBody = z.preprocess(
  (body) => body ?? {},
  z.object({
    return_to: z
      .enum(['call', 'missed', 'today'], 'The {field} field must be call, missed or today.')
      .default('missed'),
  }),
);

/** One call, and whether it was called back. */
export function callRoutes(app: App, deps: AreaDeps & { today: ErrorPage }): void {
  const { calls, changes, pages, today } = deps;
  const resource = 'Call';

  const show = async (request: FastifyRequest, reply: FastifyReply, refusal?: string) => {
    const { id } = request.params as { id: number | string };
    const loaded = await loadCall(deps, request.session, Number(id));
    return pages.send(reply, callPage(pages.context(request), { ...loaded, ...(refusal && { refusal }) }));
  };
  const errorPage: ErrorPage = async (request, reply, error) => {
    if (leadsToToday(request.sent)) return today(request, reply, error);
    const refusal = errorText(error);
    if (request.sent?.return_to === 'call') return show(request, reply, refusal);
    const loaded = await loadCallBacks(deps, request.session);
    return pages.send(reply, missedCallsPage(pages.context(request), { ...loaded, refusal }));
  };

  app.get(
    CALL,
    { config: { resource }, schema: { params: pathId, response: { 200: dataOf(callAdminSchema) } } },
    async (request, reply) => {
      if (!wantsJson(request)) return show(request, reply);
      return ok(await calls.find(request.session, request.params.id));
    },
  );

  const change = {
    config: { resource, errorPage },
    schema: { params: pathId, body: markBody, response: { 200: dataOf(callListAdminEntry) } },
  };
  /** Today says which call it was, to undo that. */
  const pageOf = (id: number, { return_to }: z.output<typeof markBody>) =>
    return_to === 'today' ? { to: TODAY, id } : { to: return_to === 'call' ? callAddress(id) : MISSED };

  app.post(`${CALL}/called-back`, change, async (request, reply) => {
    const { body, session } = request;
    const { id } = request.params;
    const data = await changes.make(
      request,
      { action: 'call_marked_called_back', subject: `Call ${id}` },
      () => calls.markCalledBack(session, id, session.email),
    );
    return answerChange(request, reply, { data, notice: 'called-back', ...pageOf(id, body) });
  });

  app.post(`${CALL}/not-called-back`, change, async (request, reply) => {
    const { session: by, body } = request;
    const { id } = request.params;
    const data = await changes.make(
      request,
      { action: 'call_back_mark_removed', subject: `Call ${id}` },
      () => calls.unmarkCalledBack(by, id),
    );
    return answerChange(request, reply, { data, notice: 'not-called-back', ...pageOf(id, body) });
  });
}
