import { formTexts, sentForm } from './sent-form.rules.ts';

/** A list of which nothing may be looked at behind its first entry. */
function listFrom(first: unknown): unknown[] {
  const get = () => {
    throw new Error('looked at');
  };
  return Object.defineProperty([first, 'second'], 1, { get, enumerable: true });
}
const texts = (length: number) => Array.from({ length }, () => 'a');

it('shows text and lists of text again, and nothing else', () => {
  const sent = { name: 'Anna', days: ['monday', ''], age: 7, list: ['a', 1], inner: { a: 'b' }, gone: null };
  expect(sentForm.parse(sent)).toEqual({ name: 'Anna', days: ['monday', ''] });
  for (const odd of [null, 'text', 7, ['a'], undefined]) expect(sentForm.parse(odd)).toEqual({});
});

it('looks at no entry behind one that is no text', () => {
  expect(sentForm.parse({ list: listFrom(1) })).toEqual({});
  expect(formTexts.safeParse(listFrom(null)).success).toBe(false);
});

it('takes lists as long as a form makes them, and no longer', () => {
  expect(sentForm.parse({ list: texts(1_000), longer: texts(1_001) })).toEqual({ list: texts(1_000) });
  expect([1_000, 1_001].map((length) => formTexts.safeParse(texts(length)).success)).toEqual([true, false]);
});
