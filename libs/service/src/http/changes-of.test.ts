import { changesOf } from './changes-of.ts';

const before: { name: string; notes: string | null; ids: number[] } = {
  name: 'Ada',
  notes: 'early',
  ids: [1],
};

it('keeps what differs: null is a value, undefined says nothing', () => {
  expect(changesOf(before, { name: 'Ada', notes: null, ids: [1, 2] })).toEqual({ notes: null, ids: [1, 2] });
  expect(changesOf(before, { name: undefined, notes: 'late' })).toEqual({ notes: 'late' });
});

it('is null where everything is so already', () => {
  expect(changesOf(before, {})).toBeNull();
  expect(changesOf(before, { name: undefined, notes: 'early', ids: [1] })).toBeNull();
});
