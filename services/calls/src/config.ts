import { CALL_MESSAGE_RETENTION_DAYS } from '@frontdesk/contracts';
import {
  apiEnv,
  clientEnv,
  databaseEnv,
  httpBase,
  internalUrl,
  issuerEnv,
  kafkaEnv,
  milliseconds,
  sealAfterEnv,
  secretKeysFileEnv,
  serviceEnv,
} from '@frontdesk/service';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceEnv,
  ...issuerEnv,
  ...apiEnv,
  ...databaseEnv,
  ...kafkaEnv,
  ...secretKeysFileEnv,
  ...sealAfterEnv,
  ...clientEnv,
  GATEWAY_INTERNAL_URL: internalUrl('gateway'),
  CRM_INTERNAL_URL: internalUrl('crm'),
  SCHEDULING_INTERNAL_URL: internalUrl('scheduling'),
  PUBLIC_URL: httpBase.describe(
    'the gateway as providers reach it; ingest addresses begin with it, and Twilio’s signature covers it',
  ),
  ANNOUNCE_AFTER_MS: milliseconds.default(60_000).describe('how long `call.ended` waits for an analysis'),
  LINK_WAIT_MS: milliseconds
    .default(15_000)
    .describe('how long `call.ended` waits at most for crm, and for scheduling'),
  RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(CALL_MESSAGE_RETENTION_DAYS)
    .describe('days for which messages are kept as they came in'),
});

export type CallsConfig = z.output<typeof configSchema>;
