import { createDatabase, systemSql } from '@frontdesk/database';
import { createSecretBox, loadSecretKeys } from '@frontdesk/service';
import {
  type ComposeEmail,
  type Composers,
  createComposeEmail,
} from '../../../../services/settings-ui/src/mail/compose-email.ts';
import { queueAccountEmail, queueEmail } from '../../../../services/settings-ui/src/mail/email.repository.ts';
import type { ComposedEmail } from '../../../../services/settings-ui/src/mail/email.rules.ts';
import { createMailer } from '../../../../services/settings-ui/src/mail/mailer.ts';
import { createEmailSender } from '../../../../services/settings-ui/src/mail/send-emails.worker.ts';
import { parseSmtpUrl } from '../../../../services/settings-ui/src/mail/smtp.rules.ts';
import { migrations } from '../../../../services/settings-ui/src/migrations/index.ts';
import {
  createTestDatabase,
  eventually,
  identityKeys,
  logger,
  PATIENT_BOUNDS,
} from '../../../support/index.ts';

export const SETTINGS_URL = 'https://settings.example.com';
const SENDER = { name: 'Front desk', address: 'desk@frontdesk.example' };
const BUSINESS = { name: 'Salon Mitte', timezone: 'Europe/Berlin', country: 'DE' };

interface Row {
  id: number;
  kind: string;
  recipient: string;
  account_id: number | null;
  count: number;
  attempts: number;
  details: unknown[];
  sealed: string | null;
  subject: string | null;
  last_error: string | null;
  is_composed: boolean;
  is_sent: boolean;
  is_failed: boolean;
  seconds_until_due: number;
}

const rows = systemSql<Row>(
  'test_emails',
  `select id, kind, recipient, account_id, count, attempts, details, sealed, subject, last_error, composed_at is not null as is_composed,
     sent_at is not null as is_sent, failed_at is not null as is_failed,
     extract(epoch from due_at - now())::float8 as seconds_until_due
   from emails order by id`,
);
const age = systemSql<never, { hours: number }>(
  'test_age_emails',
  `update emails set made_at = made_at - $hours * interval '1 hour', due_at = due_at - $hours * interval '1 hour',
     wanted_at = wanted_at - $hours * interval '1 hour', composed_at = composed_at - $hours * interval '1 hour',
     expires_at = expires_at - $hours * interval '1 hour'`,
);
const retryNow = systemSql('test_retry_emails', 'update emails set due_at = now() where sent_at is null');

const clearAll = systemSql('test_delete_emails', 'delete from emails');

/** What an email with a link is, in tests of how it is sent. */
const withLink = async ({ recipient }: { recipient: string }): Promise<ComposedEmail> => ({
  subject: `For ${recipient}`,
  text: `Open this:\n${SETTINGS_URL}/settings/reset?token=secret-of-${recipient}`,
  html: '<p>Open it</p>',
  expiresAt: null,
});

const COMPOSERS: Composers = { invitation: withLink, reset: withLink, address_link: withLink };

/** The table of emails, and processes that send what is in it. */
export async function startMailWorld() {
  const testDatabase = await createTestDatabase(migrations, 'mail');
  const database = createDatabase({ url: testDatabase.url, migrations, logger, bounds: PATIENT_BOUNDS });
  await database.start();
  const keys = await loadSecretKeys(identityKeys().secretKeysFile);
  const secrets = createSecretBox(keys);
  const started: { stop(): Promise<void> }[] = [];
  const gateway = { tenant: async () => BUSINESS as never };

  /** One process; without a `url` it has no server. */
  const startSender = async ({
    url,
    composers = {},
    compose = createComposeEmail({
      gateway,
      composers: { ...COMPOSERS, ...composers },
      settingsUrl: SETTINGS_URL,
    }),
    leaseMs,
    box = secrets,
  }: {
    url?: string;
    composers?: Partial<Composers>;
    compose?: ComposeEmail;
    leaseMs?: number;
    box?: typeof secrets;
  } = {}) => {
    const server = url === undefined ? null : parseSmtpUrl(url);
    const mailer = server && createMailer({ server, sender: SENDER });
    const lease = leaseMs === undefined ? {} : { leaseMs };
    const sender = createEmailSender({ database, mailer, compose, secrets: box, logger, ...lease });
    await sender.start();
    started.push(sender);
    return sender;
  };

  const all = () => database.system.many(rows);
  return {
    database,
    secrets,
    startSender,
    all,
    /** The one row there is, once it is so. */
    until: (matches: (row: Row) => boolean) =>
      eventually(async () => {
        const [row, ...others] = await all();
        if (!row || others.length > 0 || !matches(row)) throw new Error('It is not so yet.');
        return row;
      }),
    /** As if so many hours had passed. */
    age: (hours: number) => database.system.run(age, { hours }),
    retryNow: () => database.system.run(retryNow),
    reset: (recipient: string) =>
      queueAccountEmail(database.system, {
        kind: 'reset',
        recipients: [recipient],
        details: {},
        tenantId: null,
      }),
    newKey: (tenantId: number, recipients: string[], name: string) =>
      queueEmail(database.forTenant(tenantId), {
        kind: 'new_key',
        recipients,
        details: { name, by: 'ada@salon.example' },
      }),
    /** Ends the processes of one test, and empties the table. */
    async clear() {
      await Promise.all(started.splice(0).map((each) => each.stop()));
      await database.system.run(clearAll);
    },
    async stop() {
      await Promise.all(started.splice(0).map((each) => each.stop()));
      await database.stop();
      await testDatabase.drop();
    },
  };
}
