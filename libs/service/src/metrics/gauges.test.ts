import { createMetrics } from './metrics.ts';

afterEach(() => void jest.useRealTimers());

it('values of several readers add up; what fails or never answers is unknown, and the rest is reported', async () => {
  const { registry, watch } = createMetrics();
  const labelled = { help: 'help', labelNames: ['state'] };
  watch({ name: 'sum', ...labelled }, () => [{ labels: { state: 'open' }, value: 1 }]);
  watch({ name: 'sum', ...labelled }, async () => [{ labels: { state: 'open' }, value: 2 }]);
  watch({ name: 'missing', ...labelled }, () => Promise.reject(new Error('away')));
  watch({ name: 'failing', help: 'help' }, () => Promise.reject(new Error('away')));
  watch({ name: 'hanging', help: 'help' }, () => new Promise<number>(() => {}));
  const text = await registry.metrics();
  expect(text).toMatch(/^sum\{state="open"\} 3$/m);
  expect(text).toMatch(/^failing Nan$/im);
  expect(text).toMatch(/^hanging Nan$/im);
  expect(text).not.toMatch(/^missing/m);
});

it('an engine that hangs or fails is reported as not connected', async () => {
  jest.useFakeTimers();
  const { registry, watchConnection } = createMetrics();
  watchConnection('postgresql', 'pool', () => new Promise<boolean>(() => {}));
  watchConnection('kafka', 'publisher', () => Promise.reject(new Error('away')));
  watchConnection('redis', 'commands', () => true);
  watchConnection('postgresql', 'relay', () => true);
  watchConnection('postgresql', 'relay', () => true);
  watchConnection('redis', 'sessions', () => true);
  watchConnection('redis', 'sessions', () => false);
  const scrape = registry.metrics();
  await jest.advanceTimersByTimeAsync(1_500);
  const text = await scrape;
  expect(text).toContain('engine_connected{engine="postgresql",connection="pool"} 0');
  expect(text).toContain('engine_connected{engine="kafka",connection="publisher"} 0');
  expect(text).toContain('engine_connected{engine="redis",connection="commands"} 1\n');
  // Of several connections of one name, all count.
  expect(text).toContain('engine_connected{engine="postgresql",connection="relay"} 1\n');
  expect(text).toContain('engine_connected{engine="redis",connection="sessions"} 0\n');
});
