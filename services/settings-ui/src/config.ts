import {
  apiEnv,
  databaseEnv,
  httpBase,
  httpUrl,
  milliseconds,
  proxiesEnv,
  redisEnv,
  secretKeysFileEnv,
  serviceEnv,
} from '@frontdesk/service';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceEnv,
  ...apiEnv,
  ...databaseEnv,
  ...redisEnv,
  ...secretKeysFileEnv,
  ...proxiesEnv,
  GATEWAY_INTERNAL_URL: httpUrl,
  SCHEDULING_INTERNAL_URL: httpUrl,
  CRM_INTERNAL_URL: httpUrl,
  CALLS_INTERNAL_URL: httpUrl,
  WEBHOOKS_INTERNAL_URL: httpUrl,
  /** These pages as browsers reach them. Where that is https, cookies go over nothing else. */
  SETTINGS_URL: httpUrl.transform((url) => new URL(url).origin),
  /** The gateway as integrators reach it: begins the examples on the pages. */
  PUBLIC_URL: httpBase,
  /** Far more than people ask for, also with a form whose picture follows what they type. */
  SESSION_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(300),
  TENANT_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(1_200),
  /** Longest that a page waits for what another service adds to it. */
  PAGE_TIMEOUT_MS: milliseconds.default(1_500),
  /** Longest wait for another service to make a change. Adding an endpoint looks its name up, which may take its time. */
  CHANGE_TIMEOUT_MS: milliseconds.default(10_000),
  /** Longest that the download of a file may take, however slowly its client reads. */
  EXPORT_TIMEOUT_MS: milliseconds.default(600_000),
});

export type SettingsUiConfig = z.output<typeof configSchema>;
