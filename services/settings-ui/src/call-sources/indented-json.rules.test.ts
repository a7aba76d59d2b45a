import { indentedBeginning } from './indented-json.rules.ts';

it.each([{ a: [1, { b: 'x, "y": {z}\\' }, []], c: {}, d: null, e: [[[]], [{}]] }, [], {}])(
  '%j: the same as JSON.stringify with an indent',
  (value) => {
    for (const sent of [JSON.stringify(value), JSON.stringify(value, null, '\t\r\n ')])
      expect(indentedBeginning(sent, 1_000)).toBe(JSON.stringify(value, null, 2));
  },
);

it('numbers stay as they came, however long they are', () => {
  expect(indentedBeginning('{"id":12345678901234567890,"at":1.50}', 100)).toBe(
    '{\n  "id": 12345678901234567890,\n  "at": 1.50\n}',
  );
});

it('ends just beyond what is shown, however deep the lists lie', () => {
  const deep = `${'['.repeat(2_000)}${'1,'.repeat(250_000)}1${']'.repeat(2_000)}`;
  const shown = indentedBeginning(deep, 32_768);
  expect(shown.length).toBeGreaterThan(32_768);
  expect(shown.length).toBeLessThan(40_000);
});

it('what is no list or object stays as it came', () => {
  for (const text of ['a=1&b= [2]', '"{ }"', ' 7', '']) expect(indentedBeginning(text, 100)).toBe(text);
});

it('shows what is left of JSON that was cut off', () => {
  expect(indentedBeginning('{"a":[1,"x', 100)).toBe('{\n  "a": [\n    1,\n    "x');
  expect(indentedBeginning(']]{', 100)).toBe(']]{');
  expect(indentedBeginning('{]]]]', 100)).toContain(']');
});
