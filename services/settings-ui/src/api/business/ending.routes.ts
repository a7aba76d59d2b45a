import { dataOf, pathId } from '@frontdesk/contracts';
import type { App, AppError, Versioned } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Changes } from '../changes.ts';
import { answerSaved, plainBody } from './business-forms.ts';

interface Named {
  name: string;
}

/** The ETag of what the admin saw. */
type Seen = string | undefined;

/** Services or staff, as far as they are deactivated, activated and deleted. */
interface Records {
  find(tenantId: number, id: number): Promise<Versioned<Named>>;
  change(tenantId: number, id: number, body: { is_active: boolean }, seen: Seen): Promise<Named>;
  remove(tenantId: number, id: number, seen: Seen): Promise<Named>;
}

interface Endings {
  changes: Changes;
  records: Records;
  schema: z.ZodType<Named>;
  /** The paths of one, and of all. */
  single: `${string}/:id`;
  list: string;
  resource: string;
  kind: 'service' | 'staff';
  showRefusal: (request: FastifyRequest, reply: FastifyReply, error: AppError) => unknown;
}

/** Out of use for a while, back again, or gone for good. */
export function endingRoutes(app: App, options: Endings): void {
  const { changes, records, single, list, kind, resource } = options;
  const route = {
    config: { resource, failurePage: options.showRefusal },
    schema: { params: pathId, body: plainBody, response: { 200: dataOf(options.schema) } },
  };
  const idOf = (request: FastifyRequest) => (request.params as { id: number }).id;

  for (const [verb, isActive] of [
    ['activate', true],
    ['deactivate', false],
  ] as const) {
    const done = isActive ? 'activated' : 'deactivated';
    app.post(`${single}/${verb}`, route, async (request, reply) => {
      const { tenantId } = request;
      const id = idOf(request);
      const { name: subject } = (await records.find(tenantId, id)).record;
      const data = await changes.make(request, { action: `${kind}_${done}`, subject }, () =>
        records.change(tenantId, id, { is_active: isActive }, request.body.version),
      );
      return answerSaved(request, reply, {
        data,
        notice: `${kind}-${done}`,
        to: single.replace(':id', String(id)),
      });
    });
  }

  app.post(`${single}/delete`, route, async (request, reply) => {
    const { tenantId } = request;
    const id = idOf(request);
    const { name: subject } = (await records.find(tenantId, id)).record;
    const data = await changes.make(request, { action: `${kind}_deleted`, subject }, () =>
      records.remove(tenantId, id, request.body.version),
    );
    return answerSaved(request, reply, { data, notice: `${kind}-deleted`, to: list });
  });
}
