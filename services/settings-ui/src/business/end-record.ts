import type { App, Versioned } from '@frontdesk/service';
import type { z } from 'zod';
import type { Changes } from '../changes/changes.ts';
import { recordChanges } from '../changes/record-actions.ts';
import { plainBody } from '../forms/form-values.rules.ts';
import type { By } from '../session/session.rules.ts';
import type { ErrorPage } from '../ui/pages.ts';

interface Named {
  name: string;
}

/** The ETag of what the admin saw. */
type Seen = string | undefined;

/** Services or staff, as far as they are deactivated, activated and deleted. */
interface Records {
  find(by: By, id: number): Promise<Versioned<Named>>;
  change(by: By, id: number, body: { is_active: boolean }, seen: Seen): Promise<Named>;
  remove(by: By, id: number, seen: Seen): Promise<Named>;
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
  showError: ErrorPage;
}

/** Out of use for a while, back again, or gone for good. */
export function endingRoutes(app: App, options: Endings): void {
  const { changes, records, single, list, kind, resource, schema } = options;
  const { post } = recordChanges(app, {
    changes,
    single,
    config: { resource, errorPage: options.showError },
    subjectOf: async (by, id) => (await records.find(by, id)).record.name,
  });

  for (const [verb, done, is_active] of [
    ['activate', 'activated', true],
    ['deactivate', 'deactivated', false],
  ] as const) {
    post({
      verb,
      action: `${kind}_${done}`,
      notice: `${kind}-${done}`,
      schema,
      body: plainBody,
      to: (id) => single.replace(':id', String(id)),
      work: ({ session, body }, id) => records.change(session, id, { is_active }, body.version),
    });
  }
  post({
    verb: 'delete',
    action: `${kind}_deleted`,
    notice: `${kind}-deleted`,
    schema,
    body: plainBody,
    to: () => list,
    work: ({ session, body }, id) => records.remove(session, id, body.version),
  });
}
