import { apiEnv, clientEnv, databaseEnv, httpUrl, kafkaEnv, serviceEnv } from '@frontdesk/service';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceEnv,
  ...apiEnv,
  ...databaseEnv,
  ...kafkaEnv,
  ...clientEnv,
  GATEWAY_INTERNAL_URL: httpUrl,
  CRM_INTERNAL_URL: httpUrl,
});

export type SchedulingConfig = z.output<typeof configSchema>;
