import {
  apiEnv,
  databaseEnv,
  httpBase,
  httpUrl,
  internalUrl,
  issuerEnv,
  milliseconds,
  proxiesEnv,
  redisEnv,
  secretKeysFileEnv,
  serviceEnv,
} from '@frontdesk/service';
import { z } from 'zod';
import { parseSender, parseSmtpUrl } from './mail/smtp.rules.ts';

/** Read as a rule reads it; empty is as good as unset. */
const read = <Value>(parse: (text: string) => Value | null, message: string) =>
  z
    .string()
    .transform((text, context) => {
      if (text === '') return undefined;
      const value = parse(text);
      if (value !== null) return value;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .optional();

const environment = z.object({
  ...serviceEnv,
  ...issuerEnv,
  ...apiEnv,
  ...databaseEnv,
  ...redisEnv,
  ...secretKeysFileEnv,
  ...proxiesEnv,
  GATEWAY_INTERNAL_URL: internalUrl('gateway'),
  SCHEDULING_INTERNAL_URL: internalUrl('scheduling'),
  CRM_INTERNAL_URL: internalUrl('crm'),
  CALLS_INTERNAL_URL: internalUrl('calls'),
  WEBHOOKS_INTERNAL_URL: internalUrl('webhooks'),
  SETTINGS_URL: httpUrl
    .transform((url) => new URL(url).origin)
    .describe('the pages as browsers reach them; https makes cookies Secure'),
  PUBLIC_URL: httpBase.describe('the gateway as integrators reach it, for examples'),
  // Far more than people ask for, also with a form whose picture follows what they type.
  SESSION_REQUESTS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .default(300)
    .describe('pages and changes of one session; as many live streams'),
  TENANT_REQUESTS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_200)
    .describe('the same of all sessions of a business'),
  PAGE_TIMEOUT_MS: milliseconds.default(1_500).describe('longest wait for another service’s part of a page'),
  // Adding an endpoint looks its name up, which may take its time.
  CHANGE_TIMEOUT_MS: milliseconds
    .default(10_000)
    .describe('longest wait for another service to make a change'),
  EXPORT_TIMEOUT_MS: milliseconds
    .default(600_000)
    .describe('longest download of a file, however slowly its client reads'),
  SMTP_URL: read(
    parseSmtpUrl,
    'must be smtp://user:password@host:port or smtps://…, with nothing behind the port',
  ).meta({
    description: 'the [mail server](../../docs/configuration.md#emails); without it emails are kept',
  }),
  MAIL_FROM: read(parseSender, 'must be one address, for example Front desk <desk@example.com>').meta({
    description: 'whom emails come from; required with `SMTP_URL`',
  }),
  DESIGN_PAGE: z
    .stringbool()
    .default(false)
    .describe('`/settings/design` shows all parts of the pages: for development'),
});

export const configSchema = environment.refine(({ SMTP_URL, MAIL_FROM }) => !SMTP_URL || MAIL_FROM, {
  path: ['MAIL_FROM'],
  error: 'is required with SMTP_URL',
});

export type SettingsUiConfig = z.output<typeof configSchema>;
