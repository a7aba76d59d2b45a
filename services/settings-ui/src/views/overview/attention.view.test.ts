import type { EndpointAdmin } from '@frontdesk/contracts';
import type { Overview } from '../../domain/overview/business-overview.ts';
import { NO_REGION } from '../../domain/shared/region.ts';
import { attentionCard } from './attention.view.ts';

const QUIET = { to_call_back: 0, endpoints: [], quotas: [] };
const cardOf = (known: Partial<Pick<Overview, keyof typeof QUIET>>) =>
  String(attentionCard({ ...QUIET, ...known } as unknown as Overview, NO_REGION));
const endpoint = (id: number, status: EndpointAdmin['health']['status']) =>
  ({ id, url: `https://shop-${id}.example/hooks`, health: { status } }) as EndpointAdmin;

it('says that there is nothing to do only where that is known', () => {
  expect(cardOf({})).toContain('Nothing needs you right now');
  for (const unknown of [{ to_call_back: null }, { endpoints: null }, { quotas: null }]) {
    expect(cardOf(unknown)).toContain('Not everything can be checked right now');
    expect(cardOf(unknown)).not.toContain('Nothing needs you');
  }
});

it('names endpoints that fail or are disabled, and leads to the only one, or to all of them', () => {
  const well = [endpoint(1, 'healthy'), endpoint(2, 'paused'), endpoint(3, 'new')];
  expect(cardOf({ endpoints: well })).toContain('Nothing needs you');
  const one = cardOf({ endpoints: [...well, endpoint(4, 'failing')] });
  expect(one).toMatch(/href="\/settings\/api\/webhooks\/4".*>1<.*webhook endpoint receives nothing.*shop-4/);
  const two = cardOf({ endpoints: [endpoint(4, 'failing'), endpoint(5, 'disabled')] });
  expect(two).toMatch(/href="\/settings\/api#webhooks".*>2<.*endpoints receive nothing.*shop-4.*shop-5/);
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
  expect(card).toMatch(/api#keys"><span class="count bad">100%<.*limit is reached/);
});
