import type { CallProviderName } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { fixturePaths, providerOf, readFixture } from '../../../services/calls/fixtures/index.ts';
import { eventually } from '../../support/index.ts';
import { LARGE_VALUES, ODD_BODIES, ODD_VALUES } from '../../support/odd-values.ts';
import { type CallsWorld, type Source, startCalls } from '../calls/calls-world.ts';
import {
  genericMessage,
  retellMessage,
  type SignedMessage,
  twilioMessage,
  vapiMessage,
} from '../calls/signed-messages.ts';
import { some } from './odd-requests.ts';

/** For ODD_INPUT=all. */
jest.setTimeout(7_200_000);

const MESSAGES = 30;
const JSON_VALUE = /(?<=": ?)("(?:[^"\\]|\\.)*"|-?[\d.]+|true|false|null|\[\]|\{\})/g;

const findUnread = systemSql<{ body: string; reason: string | null }, { tenantId: number }>(
  'test_find_unread',
  `select left(encode(body, 'escape'), 3000) as body, reason from call_messages
   where tenant_id = $tenantId and status = 'received'`,
);

const ODD_JSON = [...ODD_VALUES, ...LARGE_VALUES].map(({ json }) => json);
const ODD_TEXTS = ODD_VALUES.map(({ json }) => JSON.parse(json)).filter((value) => typeof value === 'string');

/** What each provider sends of a call, and how it is signed. */
const PROVIDERS: Record<
  CallProviderName,
  { good: string; sign: (body: string, source: Source) => SignedMessage }
> = {
  generic: { good: 'generic/booked.json', sign: genericMessage },
  vapi: { good: 'vapi/booked.json', sign: vapiMessage },
  retell: { good: 'retell/call-ended.json', sign: retellMessage },
  twilio: {
    good: 'twilio/completed.form',
    sign: (body, source) => twilioMessage(Object.fromEntries(new URLSearchParams(body)), source),
  },
};

const textOf = (path: string) => readFixture(path).body.toString();

/** A sample with odd JSON in the place of each of its values. */
function oddJson(path: string): string[] {
  const body = textOf(path);
  return [...body.matchAll(JSON_VALUE)].flatMap(({ index, 0: value }) =>
    ODD_JSON.map((json) => body.slice(0, index) + json + body.slice(index + value.length)),
  );
}

function oddForm(path: string): string[] {
  const fields = Object.fromEntries(new URLSearchParams(textOf(path)));
  return Object.keys(fields).flatMap((name) =>
    ODD_TEXTS.map((text) => String(new URLSearchParams({ ...fields, [name]: text.toWellFormed() }))),
  );
}

function oddBodiesOf(provider: CallProviderName): readonly string[] {
  const paths = fixturePaths().filter((path) => providerOf(path) === provider);
  const isForm = provider === 'twilio';
  const changed = isForm
    ? paths.filter((path) => path.endsWith('.form')).flatMap(oddForm)
    : paths.flatMap(oddJson);
  return [
    ...some(changed, MESSAGES),
    ...(isForm
      ? []
      : some(
          ODD_BODIES.map(({ json }) => json),
          10,
        )),
  ];
}

describe('messages of calls, whatever stands in them', () => {
  let calls: CallsWorld;
  beforeAll(async () => {
    calls = await startCalls();
  });
  afterAll(() => calls.stop());

  const allRead = (tenantId: number) =>
    eventually(async () => expect(await calls.database.system.many(findUnread, { tenantId })).toEqual([]));

  it.each(Object.keys(PROVIDERS) as CallProviderName[])(
    'of %s are read or kept as unreadable, and what comes after them is read',
    async (provider) => {
      const { good, sign } = PROVIDERS[provider];
      const [tenant, other] = [calls.newTenant(), calls.newTenant()];
      const [source, otherSource] = [
        await calls.newSource(tenant, provider),
        await calls.newSource(other, provider),
      ];

      for (const body of oddBodiesOf(provider)) {
        const { status } = await calls.ingest(source, sign(body, source));
        expect([body.slice(0, 500), status]).toEqual([body.slice(0, 500), 202]);
      }
      await allRead(tenant);

      for (const to of [source, otherSource]) {
        const { body } = await calls.ingest(to, sign(`${textOf(good)} `, to));
        await allRead(to.tenantId);
        const path = `/internal/tenants/${to.tenantId}/call-messages/${body.data.id}`;
        expect((await calls.admin('GET', path)).body.data.status).toBe('applied');
      }
    },
  );
});
