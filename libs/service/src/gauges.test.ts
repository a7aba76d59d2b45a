import { createMetrics } from './metrics.ts';

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
