import { arrayLiteral } from './array-literal.ts';

it.each([
  [[], '{}'],
  [[1, -2.5, 1e21], '{1,-2.5,1e+21}'],
  [[true, false, null, undefined], '{true,false,NULL,NULL}'],
  [['', 'a', 'NULL', 'a b,{}'], '{"","a","NULL","a b,{}"}'],
  [['"', '\\', '\\"'], '{"\\"","\\\\","\\\\\\""}'],
  [['line\nbreak', '"\n\t"'], '{"line\nbreak","\\"\n\t\\""}'],
  [['"Ünal 💈"', '"\u007f"'], '{"\\"Ünal 💈\\"","\\"\u007f\\""}'],
])('%j is written as %s', (values, literal) => {
  expect(arrayLiteral(values)).toBe(literal);
});

it.each([[[new Date(0)]], [[Buffer.from('a')]], [[[1], [2]]], [[{ a: 1 }]]])(
  '%j is left to node-postgres',
  (values) => {
    expect(arrayLiteral(values)).toBeNull();
  },
);
