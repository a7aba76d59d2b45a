import { CALL_MESSAGE_RETENTION_DAYS } from '@frontdesk/contracts';
import {
  apiEnv,
  clientEnv,
  databaseEnv,
  httpBase,
  httpUrl,
  kafkaEnv,
  milliseconds,
  secretKeysFileEnv,
  serviceEnv,
} from '@frontdesk/service';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceEnv,
  ...apiEnv,
  ...databaseEnv,
  ...kafkaEnv,
  ...secretKeysFileEnv,
  ...clientEnv,
  GATEWAY_INTERNAL_URL: httpUrl,
  CRM_INTERNAL_URL: httpUrl,
  SCHEDULING_INTERNAL_URL: httpUrl,
  /** The gateway as providers reach it: begins every ingest address, and is what some signatures cover. */
  PUBLIC_URL: httpBase,
  /** How long after its end a call waits for its analysis before `call.ended` goes without it. */
  ANNOUNCE_AFTER_MS: milliseconds.default(60_000),
  /** How long the end of a call waits at most until crm has said whose it is. */
  LINK_WAIT_MS: milliseconds.default(15_000),
  /** Days for which messages are kept as they came in. */
  RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(CALL_MESSAGE_RETENTION_DAYS),
});

export type CallsConfig = z.output<typeof configSchema>;
