import { apiEnv, clientEnv, databaseEnv, httpUrl, kafkaEnv, serviceEnv } from '@frontdesk/service';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceEnv,
  ...apiEnv,
  ...databaseEnv,
  ...kafkaEnv,
  ...clientEnv,
  GATEWAY_INTERNAL_URL: httpUrl,
  SCHEDULING_INTERNAL_URL: httpUrl,
});

export type CrmConfig = z.output<typeof configSchema>;
