import { z } from 'zod';
import { queryInteger } from '../fields/fields.ts';

const OUTCOMES = ['started', 'done', 'refused'] as const;
export type OperatorChangeOutcome = (typeof OUTCOMES)[number];

/** A change of a business that an operator made, on its way into the business's audit log. `started`: nobody knows what came of it. */
export const operatorChange = z.object({
  id: z.int().positive(),
  tenant_id: z.int().positive(),
  at: z.iso.datetime(),
  /** Whom the operator's command line names. */
  actor: z.string().nullable(),
  action: z.string(),
  subject: z.string(),
  outcome: z.enum(OUTCOMES),
});
export type OperatorChange = z.infer<typeof operatorChange>;

/** Where the next page begins. */
export const operatorChangesQuery = z.object({ after: queryInteger.default(0) });

/** Those that the audit logs have. */
export const storedChangesBody = z.object({ ids: z.array(z.int().positive()).min(1).max(1_000) });
export const storedChanges = z.object({ removed: z.int() });
