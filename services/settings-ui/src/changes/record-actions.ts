import { dataOf, pathId, type RemovedRecord, removedRecord } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { AuditAction } from '../audit/audit.rules.ts';
import type { By } from '../session/session.rules.ts';
import { leadsToToday, TODAY } from '../ui/navigation.rules.ts';
import type { Notice } from '../ui/notices.rules.ts';
import type { ErrorPage } from '../ui/pages.ts';
import { answerChange, type Changes } from './changes.ts';

interface Records {
  changes: Changes;
  /** The path of one. */
  single: `${string}/:id`;
  config: { resource: string; errorPage?: ErrorPage; needsConfirmation?: boolean };
  /** What the audit log calls one of them. @throws AppError 404 where the tenant has none such */
  subjectOf: (by: By, id: number) => Promise<string> | string;
}

/** A request whose body has been judged. */
type Sent<Body> = FastifyRequest & { body: Body };

interface RecordChange<Data, Body = unknown> {
  /** The last part of the path. */
  verb: string;
  action: AuditAction;
  /** Null where the page says by itself what has been done. */
  notice: Notice | null;
  /** The page that people go on to. */
  to: (id: number, data: Data, by: By) => string;
  /** What of the body the audit log names beside the subject. */
  detailOf?: (body: Body) => string;
  work: (request: Sent<Body>, id: number) => Promise<Data>;
  /** As a route declares it. */
  isAlwaysMade?: boolean;
}

interface Answered<Data, Body> {
  schema: z.ZodType<Data>;
  status?: 200 | 202;
  /** What may be sent with it, beside the session's token. */
  body?: z.ZodType<Body>;
}

/** Changes of one record that take no fields: pause, resume, send again, delete. */
export function recordChanges(app: App, { changes, single, config, subjectOf }: Records) {
  const handlerOf =
    <Data, Body>(change: RecordChange<Data, Body>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { id } = request.params as { id: number };
      const { action, notice, to, work, detailOf } = change;
      const detail = detailOf?.(request.body as Body);
      const name = await subjectOf(request.session, id);
      const subject = detail === undefined ? name : `${name}, ${detail}`;
      const data = await changes.make(request, { action, subject, record: id }, () =>
        work(request as Sent<Body>, id),
      );
      return answerChange(
        request,
        reply,
        leadsToToday(request.sent)
          ? { data, notice, to: TODAY, id }
          : { data, notice, to: to(id, data, request.session) },
      );
    };

  return {
    post<Data, Body = unknown>({
      schema,
      status = 200,
      body,
      ...change
    }: RecordChange<Data, Body> & Answered<Data, Body>): void {
      const handle = handlerOf(change);
      const response = { [status]: dataOf(schema) };
      const route = {
        config: { ...config, isAlwaysMade: change.isAlwaysMade ?? false },
        schema: { params: pathId, ...(body && { body }), response },
      };
      app.post(`${single}/${change.verb}`, route, (request, reply) => handle(request, reply.code(status)));
    },
    /** Forms can send nothing but GET and POST: for them it is a POST with the verb. */
    remove(change: Omit<RecordChange<RemovedRecord>, 'verb'> & { verb?: string }): void {
      const { verb = 'delete', isAlwaysMade = false } = change;
      const handle = handlerOf({ ...change, verb });
      const route = {
        config: { ...config, isAlwaysMade },
        schema: { params: pathId, response: { 200: dataOf(removedRecord) } },
      };
      app.delete(single, route, handle);
      app.post(`${single}/${verb}`, route, handle);
    },
  };
}
