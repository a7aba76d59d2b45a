import { apiEnv, clientEnv, databaseEnv, kafkaEnv, serviceEnv } from '@frontdesk/service';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceEnv,
  ...apiEnv,
  ...databaseEnv,
  ...kafkaEnv,
  ...clientEnv,
  GATEWAY_INTERNAL_URL: z.url(),
  CRM_INTERNAL_URL: z.url(),
});

export type SchedulingConfig = z.output<typeof configSchema>;
