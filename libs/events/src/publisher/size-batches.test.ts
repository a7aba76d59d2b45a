import { bySize } from './size-batches.ts';

const record = (bytes: number) => ({ topic: 'customers' as const, key: '', value: 'x'.repeat(bytes) });

describe('bySize', () => {
  it('keeps the order and returns where each batch begins', () => {
    const batches = bySize([record(4), record(5), record(3), record(7), record(2)], 10);
    expect(batches.map(({ first, records }) => [first, records.map(({ value }) => value.length)])).toEqual([
      [0, [4, 5]],
      [2, [3, 7]],
      [4, [2]],
    ]);
  });

  it('lets a record that is larger go alone', () => {
    expect(bySize([record(1), record(11), record(1)], 10).map(({ first }) => first)).toEqual([0, 1, 2]);
  });

  it('counts bytes, not characters', () => {
    const wide = { topic: 'customers' as const, key: '', value: 'ü'.repeat(5) };
    expect(bySize([wide, wide], 15)).toHaveLength(2);
  });

  it('makes no batch of nothing', () => {
    expect(bySize([])).toEqual([]);
  });
});
