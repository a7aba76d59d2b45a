import { samplesOf } from './metrics-text.ts';

describe('reading Prometheus text', () => {
  it('finds names, labels and values', () => {
    const text = [
      '# HELP lag Messages.',
      '# TYPE lag gauge',
      'lag{group="crm",topic="a,b}\\"c\\\\d\\ne"} 12',
      'waiting 0.5 1790000000000',
      'fresh NaN',
      'high +Inf',
      '',
      'no sample',
    ].join('\n');

    expect(samplesOf(text).slice(0, 3)).toEqual([
      { name: 'lag', labels: { group: 'crm', topic: 'a,b}"c\\d\ne' }, value: 12 },
      { name: 'waiting', labels: {}, value: 0.5 },
      { name: 'fresh', labels: {}, value: Number.NaN },
    ]);
  });
});
