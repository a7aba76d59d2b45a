import type { AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { errorText, formWithErrors } from '../ui/form-errors.ts';
import { EMPTY_FORM, type FormState, isSent } from '../ui/page-context.ts';
import type { ErrorPage } from '../ui/pages.ts';
import { callSourcePage, type SourceJustNow, sentToSourcePage } from './call-source.view.ts';
import { callSourcesPage } from './call-sources.view.ts';
import { loadSource, loadSources } from './load-call-sources.ts';

export type CallSourcesPage = ReturnType<typeof createCallSourcesPage>;

export function createCallSourcesPage(deps: AreaDeps) {
  const { pages } = deps;
  const showSource = async (
    request: FastifyRequest,
    reply: FastifyReply,
    id: number,
    justNow: SourceJustNow = {},
  ) => {
    const hasSent = [justNow.settingsForm, justNow.testForm].some((form) => form && isSent(form));
    const { source, ...loaded } = await loadSource(deps, request.session, { id, hasSent });
    const context = pages.context(request);
    return pages.send(
      reply,
      source === null
        ? sentToSourcePage(context, id, justNow)
        : callSourcePage(context, { ...loaded, source, justNow }),
    );
  };
  const showAll = async (request: FastifyRequest, reply: FastifyReply, form = EMPTY_FORM) => {
    const loaded = await loadSources(deps, request.session);
    return pages.send(reply, callSourcesPage(pages.context(request), { loaded, form }));
  };
  /** The source's page with the refusal of a change that has no fields. */
  const showError: ErrorPage = (request, reply, error) =>
    showSource(request, reply, sourceIdOf(request), { refusal: errorText(error) });
  return { showAll, showSource, showError };
}

/** Of the path, also where that has not been validated yet. */
export const sourceIdOf = ({ params }: FastifyRequest): number =>
  Number((params as { id: number | string }).id);

/** What a refused form says: `settings.vapi.payload` is `payload` in it. */
export const refusedSourceForm = (
  request: FastifyRequest,
  error: AppError,
  fields: readonly string[],
): FormState => formWithErrors(request, error, fields, (name) => name.split('.').at(-1) ?? name);
