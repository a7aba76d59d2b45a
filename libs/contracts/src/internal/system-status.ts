import { z } from 'zod';
import { instantOut } from '../fields/fields.ts';

/** An engine as one service reaches it at this moment. */
export const engineStatus = z.object({
  engine: z.enum(['postgres', 'redis', 'kafka']),
  is_reached: z.boolean(),
  /** Null where the engine doesn't tell: Kafka never does. */
  version: z.string().nullable(),
  /** What an operator wants to know beside it, for example how many connections are open. */
  detail: z.string().nullable(),
});

export type EngineStatus = z.output<typeof engineStatus>;

/** An endpoint of any tenant that fails, or that was disabled because it failed for too long. */
export const failingEndpoint = z.object({
  tenant_id: z.int(),
  id: z.int(),
  state: z.enum(['failing', 'disabled']),
  /** Null for one whose receiver said that it is gone. */
  failing_since: instantOut.nullable(),
  consecutive_failures: z.int(),
  last_failure: z.string().nullable(),
});
