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
  CRM_INTERNAL_URL: internalUrl('crm'),
});

export type SchedulingConfig = z.output<typeof configSchema>;
