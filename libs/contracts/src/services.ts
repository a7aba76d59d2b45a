import { z } from 'zod';

/** A bookable service, as list and single view return it. `price` is a decimal number of `currency`. */
export const serviceSchema = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  duration_minutes: z.int(),
  price: z.number(),
  currency: z.string(),
});

export type Service = z.infer<typeof serviceSchema>;
