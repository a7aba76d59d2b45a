import fc from 'fast-check';
import { drawnOf, drawnText, mergeForm } from './merged-form.rules.ts';

const DRAWN = { name: 'Haircut', price: '29.50', performers: ['1', '2'] };

it('what was not touched takes what is there now, what nobody else touched stays as entered', () => {
  const mine = { ...DRAWN, price: '35' };
  const theirs = { ...DRAWN, name: 'Cut' };
  expect(mergeForm({ drawn: DRAWN, mine, theirs })).toEqual({
    values: { name: 'Cut', price: '35', performers: ['1', '2'] },
    clashes: {},
  });
});

it('a field that both changed clashes, unless both made the same of it', () => {
  const [mine, theirs] = [
    { ...DRAWN, name: 'Mine', price: '35' },
    { ...DRAWN, name: 'Theirs', price: '35' },
  ];
  const { values, clashes } = mergeForm({ drawn: DRAWN, mine, theirs });
  expect([values.price, clashes]).toEqual(['35', { name: { mine: 'Mine', theirs: 'Theirs' } }]);
});

it('lists are merged by their entries', () => {
  const mine = { ...DRAWN, performers: ['2', '3'] };
  const theirs = { ...DRAWN, performers: ['1', '2', '4'] };
  const { values, clashes } = mergeForm({ drawn: DRAWN, mine, theirs });
  expect([values.performers, clashes]).toEqual([['2', '4', '3'], {}]);
});

it('line ends as browsers send them are no change', () => {
  const [drawn, theirs] = [{ text: 'a\nb' }, { text: 'a\nc' }];
  expect(mergeForm({ drawn, mine: { text: 'a\r\nb' }, theirs })).toEqual({ values: theirs, clashes: {} });
});

it('without what it was drawn with, every difference clashes and no entry of theirs is lost', () => {
  const { clashes, values } = mergeForm({
    drawn: drawnOf('{'),
    mine: { name: 'Mine' },
    theirs: { ...DRAWN, name: 'Theirs' },
  });
  expect([Object.keys(clashes), values.performers]).toEqual([
    ['name', 'price'],
    ['1', '2'],
  ]);
});

const text = fc.constantFrom('', 'a', 'b', 'c');
const form = fc.record({
  one: text,
  other: text,
  list: fc.uniqueArray(fc.constantFrom<string>('1', '2', '3', '4')),
});

it('no change of theirs is lost without a clash, and none of one’s own either', () => {
  fc.assert(
    fc.property(form, form, form, (drawn, mine, theirs) => {
      const { values, clashes } = mergeForm({ drawn: drawnOf(drawnText(drawn)), mine, theirs });
      for (const name of ['one', 'other'] as const) {
        if (clashes[name]) continue;
        if (theirs[name] !== drawn[name]) expect(values[name]).toBe(theirs[name]);
        if (mine[name] !== drawn[name]) expect(values[name]).toBe(mine[name]);
      }
      for (const entry of ['1', '2', '3', '4']) {
        const [before, own, other] = [drawn, mine, theirs].map(({ list }) => list.includes(entry));
        expect(values.list?.includes(entry)).toBe(own === before ? other : own);
      }
    }),
  );
});
