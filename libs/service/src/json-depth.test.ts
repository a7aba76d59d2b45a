import { isTooDeep } from './json-depth.ts';

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
