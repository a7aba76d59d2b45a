import { EMAIL_RETENTION_DAYS } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import {
  type Component,
  type Logger,
  loop,
  type Metrics,
  readTogether,
  type SecretBox,
} from '@frontdesk/service';
import type { GatewayClient } from '../clients/gateway.client.ts';
import { type Composers, createComposeEmail } from './compose-email.ts';
import { dropOverEmails, forgetFailedTexts, purgeEmails } from './email.repository.ts';
import { countEmails } from './email-list.repository.ts';
import { createMailer } from './mailer.ts';
import { createEmailSender } from './send-emails.worker.ts';
import type { Sender, SmtpServer } from './smtp.rules.ts';

const RETENTION_INTERVAL_MS = 60_000;

/** The components that compose, send and remove emails. Without a mail server none are sent. */
export function createMail(deps: {
  config: { SMTP_URL?: SmtpServer | undefined; MAIL_FROM?: Sender | undefined; SETTINGS_URL: string };
  composers: Composers;
  database: Database;
  gateway: Pick<GatewayClient, 'tenant'>;
  secrets: SecretBox;
  logger: Logger;
  metrics: Metrics;
}): Component[] {
  const { config, database, secrets, logger, metrics } = deps;
  const { SMTP_URL: server, MAIL_FROM: sender, SETTINGS_URL: settingsUrl } = config;
  const mailer = server && sender ? createMailer({ server, sender }) : null;
  if (mailer === null) logger.warn('SMTP_URL is not set: emails are kept, and nobody sends them');
  watchEmails(database, metrics, { isSending: mailer !== null });
  const compose = createComposeEmail({ ...deps, settingsUrl });
  return [
    createEmailSender({ database, mailer, compose, secrets, logger }),
    loop({
      name: 'retention of emails',
      intervalMs: RETENTION_INTERVAL_MS,
      logger,
      async run() {
        await forgetFailedTexts(database.system);
        if (mailer === null) await dropOverEmails(database.system);
        return purgeEmails(database.system, EMAIL_RETENTION_DAYS);
      },
    }),
  ];
}

function watchEmails(database: Database, { watch }: Metrics, { isSending }: { isSending: boolean }): void {
  const count = readTogether(() => countEmails(database.system));
  const waiting = {
    name: 'emails_waiting',
    help: 'Emails that should have been sent a minute ago; 0 without a mail server.',
  };
  watch(waiting, async () => (isSending ? (await count()).waiting : 0));
  const kept = {
    name: 'emails_kept',
    help: 'Emails that are written and that nobody sends, as there is no mail server; 0 with one.',
  };
  watch(kept, async () => (isSending ? 0 : (await count()).kept));
  const failed = { name: 'emails_failed', help: 'Emails that were refused or given up within the last day.' };
  watch(failed, async () => (await count()).failed);
}
