import { healthStatus, type KnownHealth } from './endpoint-health.rules.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 9, minute));
const fresh: KnownHealth = {
  is_active: true,
  disabled_reason: null,
  is_suspended: false,
  failing_since: null,
  last_success_at: null,
  last_failure_at: null,
};
const failing = { failing_since: at(2), last_success_at: at(1), last_failure_at: at(3) };

describe('the health of an endpoint', () => {
  it.each<[string, Partial<KnownHealth>, string]>([
    ['nothing sent', {}, 'new'],
    ['only successes', { last_success_at: at(1) }, 'healthy'],
    ['a success after the last failure', { last_success_at: at(2), last_failure_at: at(1) }, 'healthy'],
    ['both in one batch of results', { last_success_at: at(1), last_failure_at: at(1) }, 'healthy'],
    ['failures since a success', failing, 'failing'],
    ['a failure after a success in one batch', { ...failing, last_success_at: at(3) }, 'failing'],
    ['failed, and resumed or moved since', { ...failing, failing_since: null }, 'untried'],
    ['never got through, and moved since', { last_failure_at: at(1) }, 'untried'],
    ['the business is suspended', { ...failing, is_suspended: true }, 'suspended'],
    ['paused, whatever failed before', { ...failing, is_active: false }, 'paused'],
    ['paused, of a suspended business', { is_active: false, is_suspended: true }, 'paused'],
    ['disabled', { ...failing, is_active: false, disabled_reason: 'gone' }, 'disabled'],
  ])('%s', (_case, known, expected) => {
    expect(healthStatus({ ...fresh, ...known })).toBe(expected);
  });
});
