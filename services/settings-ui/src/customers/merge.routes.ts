import { customerSchema, dataOf, pathId, queryId } from '@frontdesk/contracts';
import type { App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange, goTo } from '../changes/changes.ts';
import { orNull } from '../clients/or-null.ts';
import { CUSTOMERS, customerAddress } from '../records/customers-query.rules.ts';
import { regionOf } from '../region/region.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import { mergedIntoOf } from '../ui/merged-record.ts';
import { EMPTY_FORM, type FormState, textOf } from '../ui/page-context.ts';
import { findOthers, loadCandidates, loadOther } from './load-merge.ts';
import { mergeBody, mergeQuery } from './merge.rules.ts';
import { chooseOtherPage, mergePage } from './merge.view.ts';

const MERGE = `${CUSTOMERS}/:id/merge` as const;

const CHANGED =
  'Someone has changed one of the two in the meantime, so they are not merged yet. What is new is marked below: check it, then merge again.';

/** Makes another customer part of this one: who that is, and which details of both stay. */
export function mergeRoutes(app: App, deps: AreaDeps): void {
  const { gateway, customers, changes, pages } = deps;
  const config = { resource: 'Customer', recordAddress: customerAddress };

  /** Both side by side; or, where nobody is chosen, or nobody who can be, the search for them. */
  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    {
      otherId,
      q,
      form = EMPTY_FORM,
    }: { otherId?: number | undefined; q?: string | undefined; form?: FormState },
  ) => {
    const { session: by } = request;
    const { id } = request.params as { id: number };
    const [own, found, tenant] = await Promise.all([
      customers.find(by, id),
      otherId === undefined || otherId === id ? null : loadOther(deps, by, otherId),
      orNull(gateway.tenant(by)),
    ]);
    // Sent twice, or by two people.
    if (found?.other.record.id === id) return goTo(reply, customerAddress(id), 'customers-merged');
    const context = pages.context(request);
    const page = { own, region: regionOf({ tenant }) };
    // What was chosen of somebody else says nothing of this one.
    if (found)
      return pages.send(
        reply,
        mergePage(context, { ...page, ...found, form: found.isPartOf ? EMPTY_FORM : form }),
      );
    if (otherId !== undefined && reply.statusCode < 400) reply.code(404);
    return pages.send(
      reply,
      chooseOtherPage(context, {
        ...page,
        q,
        hasChosen: otherId !== undefined,
        candidates: q === undefined ? await loadCandidates(deps, by, own.record) : [],
        found: q === undefined ? [] : await findOthers(deps, by, { id, text: q }),
      }),
    );
  };

  const showSent = (request: FastifyRequest, reply: FastifyReply, error: AppError) => {
    const sent = formWithErrors(request, error);
    const form = error.code === 'precondition_failed' ? { ...sent, message: CHANGED } : sent;
    return show(request, reply, { otherId: queryId.safeParse(textOf(form, 'merged_id')).data, form });
  };

  app.get(
    MERGE,
    {
      config: { ...config, withoutQuery: 'Choose the other customer' },
      schema: { params: pathId, querystring: mergeQuery.loose() },
    },
    (request, reply) => show(request, reply, { otherId: request.query.with, q: request.query.q }),
  );

  app.post(
    MERGE,
    {
      config: { ...config, errorPage: showSent },
      schema: { params: pathId, body: mergeBody, response: { 200: dataOf(customerSchema) } },
    },
    async (request, reply) => {
      const { session: by, params, body } = request;
      const { version, merged_version: merged_if_match, ...fields } = body;
      const change = {
        action: 'customers_merged' as const,
        subject: `Customer ${fields.merged_id} into customer ${params.id}`,
      };
      const merge = () => customers.merge(by, params.id, { ...fields, merged_if_match }, version);
      const data = await changes.make(request, change, merge).catch((error: unknown) => {
        // Somebody has merged the same two the other way round.
        if (mergedIntoOf(error) === fields.merged_id && !wantsJson(request)) return null;
        throw error;
      });
      if (data === null) return goTo(reply, customerAddress(fields.merged_id), 'customers-merged');
      return answerChange(request, reply, {
        data,
        notice: 'customers-merged',
        to: customerAddress(params.id),
      });
    },
  );
}
