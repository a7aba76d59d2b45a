import { MAX_JSON_VALUES } from '../limits/api-limits.ts';
import { jsonExcess } from './json-excess.ts';

const isTooDeep = (json: string) => jsonExcess(json, { mostValues: Number.POSITIVE_INFINITY }) === 'depth';

const nested = (levels: number, open = '[', close = ']') => `${open.repeat(levels)}1${close.repeat(levels)}`;

describe('the depth of a JSON text', () => {
  it('may be 64', () => {
    expect(isTooDeep(nested(64))).toBe(false);
    expect(isTooDeep(nested(65))).toBe(true);
    expect(isTooDeep(nested(65, '{"a":', '}'))).toBe(true);
    expect(isTooDeep(nested(33, '[0, {"a": ', '}, 0]'))).toBe(true);
  });

  it('is not that of what comes one after the other', () => {
    expect(isTooDeep(`[${'[],'.repeat(100)}{}]`)).toBe(false);
  });

  it('is found behind what nests too deeply for others', () => {
    const nested = `{"deep":${'['.repeat(100)}${']'.repeat(100)},"more":[${'{},'.repeat(200)}1]}`;
    const within = (mostValues: number) =>
      jsonExcess(nested, { mostValues, mostDepth: Number.POSITIVE_INFINITY });
    expect([within(200), within(1_000)]).toEqual(['values', null]);
    expect(jsonExcess(nested, { mostValues: 200 })).toBe('depth');
  });

  it('leaves texts out, whatever they hold', () => {
    expect(isTooDeep(JSON.stringify(['['.repeat(100), '"['.repeat(100), '\\', '{'.repeat(100)]))).toBe(false);
    expect(isTooDeep(`{${JSON.stringify('{"'.repeat(100))}:1}`)).toBe(false);
    expect(isTooDeep(`["\\\\",${nested(65)}]`)).toBe(true);
  });

  it('ends where a text or a list is never closed', () => {
    expect(isTooDeep('["abc\\"')).toBe(false);
    expect(isTooDeep('['.repeat(1_000_000))).toBe(true);
  });
});

describe('the number of values of a JSON text', () => {
  const excess = (json: string) => jsonExcess(json, { mostValues: 10 });

  it('is that of commas and opening brackets', () => {
    expect(excess('[1,2,3,4,5,6,7,8,9,10]')).toBeNull();
    expect(excess('[1,2,3,4,5,6,7,8,9,10,11]')).toBe('values');
    expect(excess('[[],[],[],[],[]]')).toBeNull();
    expect(excess('[{},{},{},{},{},{}]')).toBe('values');
    expect(excess(`{"a":[${'[],'.repeat(20)}1]}`)).toBe('values');
  });

  it('leaves texts out, whatever they hold', () => {
    expect(excess(JSON.stringify({ [',[{'.repeat(100)]: '",'.repeat(100) }))).toBeNull();
  });

  it('is small in the longest list that a request takes', () => {
    const ids = Array.from({ length: 10_000 }, (_, id) => id + 1_000_000);
    expect(jsonExcess(JSON.stringify({ ids }), { mostValues: MAX_JSON_VALUES / 4 })).toBeNull();
  });
});
