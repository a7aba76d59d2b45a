import {
  ALL_SCOPES,
  type CallSource,
  type EndpointAdmin,
  type MemberRole,
  ROLE_SCOPES,
} from '@frontdesk/contracts';
import { NO_REGION } from '../region/region.rules.ts';
import { attentionCard } from './attention.view.ts';
import type { ShownToday } from './load-today.ts';

type Watched = Pick<ShownToday, 'endpoints' | 'sources' | 'quotas' | 'holds'>;
const QUIET: Watched = { endpoints: [], sources: [], quotas: [], holds: { open: 0, allowed: 50 } };
const OWNER = { scopes: ALL_SCOPES };
const cardOf = (known: Partial<Watched>) =>
  String(attentionCard(OWNER, { ...QUIET, ...known, region: NO_REGION }) || 'nothing');
const endpoint = (id: number, status: EndpointAdmin['health']['status']) =>
  ({ id, url: `https://shop-${id}.example/hooks`, health: { status } }) as EndpointAdmin;
const source = (id: number, fields: Partial<CallSource> = {}) =>
  ({ id, name: `Line ${id}`, last_message_at: null, ...fields }) as CallSource;
const refused = (last_at: string): Partial<CallSource> => ({
  refused: [{ reason: 'signature_wrong', messages: 3, first_at: last_at, last_at }],
});

it('is not there where all is well, and says what can’t be known', () => {
  expect(cardOf({})).toBe('nothing');
  for (const unknown of [{ sources: null }, { endpoints: null }, { quotas: null }])
    expect(cardOf(unknown)).toContain('Not everything can be checked right now');
});

it('names endpoints that fail or are disabled, and leads to the only one, or to all of them', () => {
  const well = [endpoint(1, 'healthy'), endpoint(2, 'paused'), endpoint(3, 'new')];
  expect(cardOf({ endpoints: well })).toBe('nothing');
  const one = cardOf({ endpoints: [...well, endpoint(4, 'failing')] });
  expect(one).toMatch(
    /href="\/settings\/api\/webhooks\/4".*>1<.*webhook endpoint receives nothing[\s\S]*shop-4/,
  );
  const two = cardOf({ endpoints: [endpoint(4, 'failing'), endpoint(5, 'disabled')] });
  expect(two).toMatch(/href="\/settings\/api#webhooks".*>2<.*endpoints receive nothing[\s\S]*shop-4.*shop-5/);
});

it('names call sources that were refused since a message was last taken', () => {
  const mended = source(1, { ...refused('2031-06-02T09:00:00Z'), last_message_at: '2031-06-02T10:00:00Z' });
  expect(cardOf({ sources: [mended, source(2)] })).toBe('nothing');
  const broken = source(3, refused('2031-06-02T09:00:00Z'));
  expect(cardOf({ sources: [mended, broken] })).toMatch(
    /href="\/settings\/calls\/sources\/3".*>1<.*call source is refused[\s\S]*Line 3/,
  );
  const both = cardOf({ sources: [broken, source(4, refused('2031-06-02T09:00:00Z'))] });
  expect(both).toMatch(/href="\/settings\/calls\/sources".*>2<.*sources are refused[\s\S]*Line 3, Line 4/);
});

it('tells a quota that is nearly used from one that is', () => {
  const quotas = [
    { name: 'staff', used: 17, allowed: 20 },
    { name: 'api_keys', used: 10, allowed: 10 },
  ] as const;
  const card = cardOf({ quotas: [...quotas] });
  expect(card).toMatch(
    /business\/staff"><span class="count waiting">85%<.*17 of 20 active staff members used/,
  );
  expect(card).toMatch(/api#keys"><span class="count bad">100%<[\s\S]*limit is reached/);
});

it('tells a business of whose times most are held what becomes of them, and who can look or end it', () => {
  const cardFor = (who: MemberRole, open: number) =>
    String(
      attentionCard(
        { scopes: ROLE_SCOPES[who] },
        { ...QUIET, holds: { open, allowed: 50 }, region: NO_REGION },
      ),
    );
  expect(cardFor('owner', 39)).toBe('false');
  const nearly = cardFor('owner', 42);
  expect(nearly).toMatch(
    /api#keys"><span class="count waiting">84%<.*42 times are held for callers\. At most 50 can be\./,
  );
  expect(nearly).toMatch(
    /booked or free again within 10 minutes\. See when each API key was last used; your Frontdesk operator/,
  );
  expect(cardFor('owner', 50)).toContain('<span class="count bad">100%<');
  // Keys aren't theirs to see.
  const receptionist = cardFor('receptionist', 42);
  expect(receptionist).toMatch(
    /href="\/settings\/calendar".*42 times[\s\S]*An owner can see when each API key/,
  );
  for (const holds of [null, undefined]) expect(cardOf({ holds })).toBe('nothing');
});

it.each<[MemberRole, number]>([
  ['owner', 4],
  ['manager', 2],
  ['developer', 3],
  ['viewer', 1],
])(
  'leads a %s only to pages that their role opens, and says nothing of what isn’t theirs to see',
  (role, count) => {
    const quotas = (['staff', 'api_keys', 'admins', 'call_sources'] as const).map((name) => ({
      name,
      used: 10,
      allowed: 10,
    }));
    const unseen = { endpoints: undefined, sources: undefined, quotas, holds: undefined };
    const card = String(attentionCard({ scopes: ROLE_SCOPES[role] }, { ...unseen, region: NO_REGION }));
    expect(card.match(/<a href=/g)).toHaveLength(count);
    expect(card).not.toContain('Not everything can be checked');
  },
);
