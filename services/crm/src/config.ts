import {
  apiEnv,
  clientEnv,
  databaseEnv,
  internalUrl,
  issuerEnv,
  kafkaEnv,
  serviceEnv,
} from '@frontdesk/service';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceEnv,
  ...issuerEnv,
  ...apiEnv,
  ...databaseEnv,
  ...kafkaEnv,
  ...clientEnv,
  GATEWAY_INTERNAL_URL: internalUrl('gateway'),
  SCHEDULING_INTERNAL_URL: internalUrl('scheduling'),
});

export type CrmConfig = z.output<typeof configSchema>;
