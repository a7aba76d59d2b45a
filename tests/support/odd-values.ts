/** A value as JSON text, which can say what no value of JavaScript says: 1e400, or a key `__proto__` of its own. */
export interface OddValue {
  name: string;
  json: string;
}

const oddValue = (value: unknown): OddValue => {
  const json = JSON.stringify(value);
  return { name: json.length > 60 ? `${json.slice(0, 60)}…` : json, json };
};
const deep = (levels: number, open: string, core: string, close: string) =>
  `${open.repeat(levels)}${core}${close.repeat(levels)}`;

const ODD_NUMBERS: OddValue[] = [
  ...['0', '-0', '-1', '0.1', '1e21', '1e400', '-1e400', '1e-400'],
  ...['9007199254740993', '2147483648', '9223372036854775808', '1'.repeat(400)],
].map((json) => ({ name: json.slice(0, 30), json }));

const ODD_TEXTS: OddValue[] = [
  ...['', ' ', '0', '-0', '1e400', 'NaN', 'true', 'null', '[]', '{}', '__proto__', '[object Object]'],
  ...['\0', 'a\0b', '\ud800', 'a\udfff', '\u202e', '\ufeff', '%', '%00', '\r\n', '\\', '<script>', '"\'&<>`'],
  ...['constructor', 'toString', '../..', '$1', "'; SELECT 1 --", '2031-02-30', '99:99', '1'.repeat(400)],
].map(oddValue);

const ODD_LISTS: OddValue[] = [
  ...[[], [null], [true], [0], [''], ['a', 'b'], [[]], [[['a']]], [{}], [{ isEscaped: true }]].map(oddValue),
  oddValue(Array.from({ length: 5_000 }, () => 'a')),
];

/** Objects that look like something else: markup, a promise, text, a list, a class. */
const ODD_OBJECTS: OddValue[] = [
  ...['{}', '{"a":1}', '{"":""}', '{"value":"a"}', '{"0":"a","length":1}', '{"length":-1}', '{"length":1e9}'],
  ...['{"isEscaped":true}', '{"isEscaped":true,"callbacks":1}', '{"isEscaped":true,"toString":1}'],
  ...['{"toString":1}', '{"toString":null,"valueOf":null}', '{"valueOf":1}', '{"toJSON":1}', '{"then":1}'],
  ...['{"then":{"then":1}}', '{"hasOwnProperty":1}', '{"split":1,"trim":1}', '{"raw":["a"]}'],
  ...['{"__proto__":{}}', '{"__proto__":null}', '{"constructor":1}', '{"constructor":{"prototype":{"a":1}}}'],
].map((json) => ({ name: json, json }));

/** Values that take a while to send or to look at; each below the limit of a body. */
export const LARGE_VALUES: readonly OddValue[] = [
  { name: 'lists, 5,000 levels deep', json: deep(5_000, '[', '"a"', ']') },
  { name: 'objects, 5,000 levels deep', json: deep(5_000, '{"a":', '1', '}') },
  { name: 'lists, 200,000 levels deep', json: deep(200_000, '[', '', ']') },
  { name: 'almost 1 MiB of text', json: JSON.stringify('a'.repeat(1_000_000)) },
  { name: 'a list of 100,000 texts', json: JSON.stringify(Array.from({ length: 100_000 }, () => 'a')) },
];

/** Every type of JSON, and values at the edges of each, small enough to be put into every field. */
export const ODD_VALUES: readonly OddValue[] = [
  ...[null, true, false].map(oddValue),
  ...ODD_NUMBERS,
  ...ODD_TEXTS,
  ...ODD_LISTS,
  ...ODD_OBJECTS,
];

/** Whole bodies that are no object, or no JSON. */
export const ODD_BODIES: readonly OddValue[] = [
  ...ODD_VALUES,
  ...['', '{', '[1,', '{"a":1,}', '\0', 'undefined', '{"a":1}{"b":2}'].map((json) => ({
    name: JSON.stringify(json),
    json,
  })),
];

/** The JSON text of an object of these fields; each value is JSON text already. */
export const jsonObject = (fields: Record<string, string>): string =>
  `{${Object.entries(fields)
    .map(([name, json]) => `${JSON.stringify(name)}:${json}`)
    .join(',')}}`;

/** The field `name` as forms in a browser's encoding can send it, and as some parsers would take it apart. */
export const oddFormFields = (name: string): readonly string[] => {
  const field = encodeURIComponent(name);
  return [
    ...['', '=', '=a', '=%00', '=%', '=%ff', '=%ed%a0%80', '=%7B%22isEscaped%22%3Atrue%7D', '[]=a', '[a]=a'],
    ...['[__proto__]=a', '.toString=a', `=${'a'.repeat(100_000)}`],
  ]
    .map((rest) => `${field}${rest}`)
    .concat(`${field}=a&${field}=b`, Array.from({ length: 2_000 }, () => `${field}=a`).join('&'));
};

/** Whether a text of `JSON.stringify`, which escapes nothing else of a surrogate pair, has no half of one. */
export const isUnicode = (json: string): boolean => !/(?<!\\)\\ud[89a-f]/.test(json);
