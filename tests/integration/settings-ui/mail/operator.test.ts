import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { queueEmail } from '../../../../services/settings-ui/src/mail/email.repository.ts';
import { ADMIN, operatorBy } from '../../../e2e/support/operator.ts';
import {
  eventually,
  identityKeys,
  type MailServer,
  signedRequests,
  startMailServer,
} from '../../../support/index.ts';
import { type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

const ADA = 'ada@salon.example';

interface Email {
  id: number;
  state: string;
  recipient: string;
  tenant_id: number;
}

let world: SettingsWorld;
let command: ReturnType<typeof operatorBy>;
let server: MailServer;
beforeAll(async () => {
  world = await startSettingsWorld({ hasMail: false });
  server = await startMailServer();
  command = operatorBy(ADMIN, {
    PATH: process.env.PATH,
    OPERATOR_KEY_FILE: identityKeys().privateKeyFile('operator'),
    SETTINGS_UI_INTERNAL_URL: world.settings.internal.listeningOrigin,
  });
});
afterAll(async () => {
  await world.stop();
  await server.stop();
});

const newTenant = async () => (await world.newAdmin()).tenantId;
const newKey = (tenantId: number, recipients: string[]) =>
  queueEmail(world.database.forTenant(tenantId), {
    kind: 'new_key',
    recipients,
    details: { name: 'Website', by: ADA },
  });
const listed = async () => command.json<Email[]>(['mail', 'list']);
const metricOf = async (name: string, { internal } = world.settings) => {
  const { body } = await internal.inject({ method: 'GET', url: '/metrics' });
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]);
};

describe('without a mail server', () => {
  it('emails are written and kept, and the operator hands them over', async () => {
    const tenantId = await newTenant();
    await newKey(tenantId, [ADA, 'bob@salon.example']);
    const emails = await eventually(async () => {
      const found = await listed();
      expect(found).toEqual([
        expect.objectContaining({ recipient: 'bob@salon.example', subject: expect.any(String) }),
        expect.objectContaining({ recipient: ADA, subject: expect.any(String) }),
      ]);
      return found;
    });
    expect(emails[1]).toEqual({
      id: expect.any(Number),
      tenant_id: tenantId,
      kind: 'new_key',
      recipient: ADA,
      subject: expect.stringMatching(/^New API key for /),
      state: 'waiting',
      count: 1,
      attempts: 1,
      last_error: null,
      made_at: expect.any(String),
      due_at: expect.any(String),
      sent_at: null,
      failed_at: null,
    });
    const table = await command.run(['mail', 'list', '--state', 'waiting', '--limit', '1']);
    expect(table.stdout.trim().split('\n')).toEqual([
      expect.stringMatching(
        /^id +state +kind +recipient +tenant_id +subject +made_at +attempts +last_error$/,
      ),
      expect.stringContaining('bob@salon.example'),
    ]);
    expect(table.stdout).not.toContain('Website');
    expect((await command.run(['mail', 'list', '--state', 'failed'])).stdout.trim()).toBe('(none)');

    const shown = await command.run(['mail', 'show', String(emails[1]?.id)]);
    expect(shown.stdout).toContain('Key: Website');
    expect(shown.stdout).toContain('Review the API keys:\nhttp://settings.example.com/settings/api\n');
    expect(await command.json(['mail', 'show', String(emails[1]?.id)])).toMatchObject({
      id: emails[1]?.id,
      text: expect.stringContaining('Key: Website'),
    });
    await eventually(async () => expect(await metricOf('emails_kept')).toBe(2));
    expect([await metricOf('emails_waiting'), await metricOf('emails_failed')]).toEqual([0, 0]);
  });

  it('an email that there is not is said to be none; other states are named', async () => {
    expect(await command.run(['mail', 'show', '999999'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Email not found.'),
    });
    expect(await command.run(['mail', 'list', '--state', 'lost'])).toMatchObject({ code: 2 });
    const { status } = await world.asOperator('GET', '/internal/emails?state=lost');
    expect(status).toBe(422);
  });
});

it('with one, all that was kept is sent, and no text of it is shown any more', async () => {
  const tenantId = await newTenant();
  await newKey(tenantId, ['eve@salon.example']);
  await eventually(async () => expect(await metricOf('emails_kept')).toBeGreaterThan(0));
  const sending = await world.startSettings({
    SMTP_URL: server.url,
    MAIL_FROM: 'Front desk <desk@frontdesk.example>',
  });
  const mail = await server.waitFor('eve@salon.example');
  expect(mail.parsed.from?.text).toBe('"Front desk" <desk@frontdesk.example>');
  const sent = await eventually(async () => {
    const found = (await listed()).find(({ recipient, state }) => recipient === mail.to && state === 'sent');
    if (!found) throw new Error('It is not sent yet.');
    return found;
  });
  const { stdout } = await command.run(['mail', 'show', String(sent.id)]);
  expect(stdout).toContain('(sent: its text is not kept)');
  expect(stdout).not.toContain('Website');
  expect(await metricOf('emails_kept', sending)).toBe(0);
});

it('a process with a server and without a sender does not start, nor one with a wrong address', async () => {
  await expect(world.startSettings({ SMTP_URL: server.url })).rejects.toThrow('MAIL_FROM is missing');
  await expect(world.startSettings({ SMTP_URL: server.url, MAIL_FROM: 'Front desk' })).rejects.toThrow(
    'MAIL_FROM: must be one address',
  );
  const secret = 'http://user:secret@mail.example.com';
  await expect(world.startSettings({ SMTP_URL: secret })).rejects.toThrow('SMTP_URL: must be smtp://');
  await expect(world.startSettings({ SMTP_URL: secret })).rejects.not.toThrow('user:secret');
});

it('emails are no admin’s business: their identity opens none of these routes', async () => {
  const { send } = signedRequests('settings-ui');
  for (const url of ['/internal/emails', '/internal/emails/1']) {
    const { status } = await send(
      world.settings.internal,
      { issuer: 'settings-ui', role: 'admin', tenantId: 1 },
      { method: 'GET', url },
    );
    expect([url, status]).toEqual([url, 403]);
  }
});

it('docker-compose.yml lets webhooks and settings-ui out, each by a network of its own, and passes the mail server on', () => {
  interface Compose {
    services: Record<string, { networks?: string[]; environment?: Record<string, string> }>;
    networks: Record<string, { internal?: boolean; driver_opts?: Record<string, string> } | null>;
  }
  const file = readFileSync(join(import.meta.dirname, '../../../../docker-compose.yml'), 'utf8');
  const { services, networks } = parse(file, { merge: true }) as Compose;
  const isOut = (name: string) =>
    !networks[name]?.internal &&
    networks[name]?.driver_opts?.['com.docker.network.bridge.enable_ip_masquerade'] !== 'false';
  const ways = Object.entries(services).flatMap(([service, { networks: joined = [] }]) =>
    joined.filter(isOut).map((network) => `${service} ${network}`),
  );
  expect(ways).toEqual(['webhooks webhooks-out', 'settings-ui mail-out']);
  // Literally: compose fills it in.
  const passed = (name: string) => `\${${name}:-}`;
  expect(services['settings-ui']?.environment).toMatchObject({
    SMTP_URL: passed('SMTP_URL'),
    MAIL_FROM: passed('MAIL_FROM'),
  });
});
