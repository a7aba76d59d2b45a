import { join } from 'node:path';
import { SCOPES_OF_EARLIER_KEYS } from '@frontdesk/contracts';
import { stringify } from 'yaml';
import { eventually, sharedSystem } from '../support/index.ts';
import { DOCUMENT, PROFILE } from './support/business.ts';
import { ADMIN, operatorBy } from './support/operator.ts';

const PASSWORD = 'three calm walruses';

/** The audit log as an admin reads it: who, what and outcome of each entry, the oldest first. */
async function auditLogOf(settingsUrl: string, email: string) {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password: PASSWORD });
  const signedIn = await fetch(`${settingsUrl}/settings/sign-in`, { method: 'POST', headers, body });
  expect(signedIn.status).toBe(200);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';')[0] ?? '')
    .join('; ');
  return async () => {
    const page = await (await fetch(`${settingsUrl}/settings/audit`, { headers: { cookie } })).text();
    const cells = (row: string) =>
      [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => cell);
    // A long text is there twice: its beginning leads to the whole.
    const text = (cell = '') =>
      cell
        .replaceAll(/<span class="hint">[^<]*<\/span><\/summary>\s*/g, '')
        .replaceAll(/<br>/g, ': ')
        .replaceAll(/<[^>]+>/g, '');
    return (page.split('<tbody>')[1] ?? '')
      .split('</tr>')
      .map(cells)
      .filter(({ length }) => length === 5)
      .map(([, who, what, , outcome]) => `${text(who)} – ${text(what)} – ${text(outcome)}`)
      .toReversed();
  };
}

it('every command that changes a business stands in its audit log, by the operator’s name', async () => {
  const system = await sharedSystem();
  const operator = operatorBy(ADMIN, {
    PATH: process.env.PATH,
    PORT_BASE: String(system.portBase),
    OPERATOR_NAME: 'Ada\tO.',
    OPERATOR_KEY_FILE: join(system.keysDirectory, 'operator.json'),
  });
  const profile = Object.entries(PROFILE).flatMap(([option, value]) => [`--${option}`, value]);
  const { id: tenant } = await operator.json<{ id: number }>([
    ...['tenant', 'create', '--name', 'Audited', ...profile],
  ]);
  const run = (words: string, input?: string) =>
    operator.json<{ id: number }>([...words.split(' '), '--tenant', String(tenant)], input);
  const email = `audited-${tenant}@example.com`;

  await run(`user create --email ${email} --password-file -`, PASSWORD);
  const key = await run('key create --name website');
  await run(`key revoke ${key.id}`);
  await run(`key delete ${key.id}`);
  await run('business import -', stringify(DOCUMENT, { aliasDuplicateObjects: false }));
  await operator.json(['tenant', 'set-quota', String(tenant), 'staff', '5000']);
  await run('tenant update --timezone Europe/Paris');
  const url = 'https://receiver.example/hooks';
  const hook = await run(`webhook create --url ${url} --events customer.created`);
  await run(`webhook pause ${hook.id}`);
  await run(`webhook resume ${hook.id}`);
  await run(`webhook rotate-secret ${hook.id}`);
  await run(`webhook test ${hook.id}`);
  await run(`webhook replay ${hook.id} --from 2026-01-01T00:00:00Z --to 2026-01-02T00:00:00Z`);
  await run(`webhook delete ${hook.id}`);
  const source = await run('call-source create --provider generic --name Phone');
  await run(`call-source disable ${source.id}`);
  await run(`call-source rotate ${source.id}`);
  await run(`call-source delete ${source.id}`);
  await operator.json(['holds', 'release', String(tenant)]);
  await run('tenant suspend');
  await run('tenant resume');
  expect((await operator.run(['key', 'revoke', '999999999', '--tenant', String(tenant)])).code).toBe(2);
  await run(`user reset-link --email ${email}`);
  // Reads leave nothing.
  await run('key list');
  await run('business export');

  const auditLog = await auditLogOf(system.urls.settingsUi, email);
  const by = (what: string, outcome = 'Done') => `Operator (AdaO.) – ${what} – ${outcome}`;
  const ofOperator = async () =>
    (await auditLog())
      .filter((line) => line.startsWith('Operator'))
      // Its times are written as the country does.
      .map((line) => line.replace(/(, kind: window).*( – )/, '$1$2'))
      .toSorted();
  await eventually(async () =>
    expect(await ofOperator()).toEqual(
      [
        by('Created the business: Audited, plan: enterprise'),
        by(`Added a person: ${email}`),
        by(
          `Created an API key: website, scopes: ${SCOPES_OF_EARLIER_KEYS.join(', ')}, expires at: none, networks: none`,
        ),
        by(`Revoked an API key: Key ${key.id}, website`),
        by(`Deleted an API key: Key ${key.id}`),
        by('Imported the setup of the business: services: 1, staff: 3'),
        by('Changed a quota: quotas: staff 5000'),
        by('Changed the time zone: timezone: Europe/Paris'),
        by(`Added a webhook endpoint: ${url}, events: customer.created`),
        by(`Paused a webhook endpoint: Endpoint ${hook.id}, ${url}`),
        by(`Resumed a webhook endpoint: Endpoint ${hook.id}, ${url}`),
        by(`Replaced a signing secret: Endpoint ${hook.id}`),
        by(`Sent a test event: Endpoint ${hook.id}`),
        by(`Started a replay: Endpoint ${hook.id}, kind: window`),
        by(`Deleted a webhook endpoint: Endpoint ${hook.id}`),
        by('Added a call source: Phone, provider: generic'),
        by(`Paused a call source: Call source ${source.id}, Phone`),
        by(`Replaced the secret of a call source: Call source ${source.id}, Phone`),
        by(`Deleted a call source: Call source ${source.id}`),
        by('Released all held times'),
        by('Suspended the business: status: suspended'),
        by('Ended the suspension of the business: status: active'),
        by('Revoked an API key: Key 999999999', 'Refused'),
        by(`Created a link to set a password: ${email}`),
      ].toSorted(),
    ),
  );
});
