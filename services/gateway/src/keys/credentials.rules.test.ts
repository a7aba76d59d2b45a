import { generateApiKey } from '@frontdesk/contracts';
import { findApiKey, withoutApiKey, withoutFrontdeskKey } from './credentials.rules.ts';

const key = generateApiKey();
const other = generateApiKey();

describe('findApiKey', () => {
  it.each([
    ['a bearer token', ['Authorization', `Bearer ${key}`], '', key],
    ['a bearer token with more spaces', ['authorization', `BEARER   ${key} `], '', key],
    ['X-API-Key', ['X-Api-Key', ` ${key} `], '', key],
    ['the query', [], `a=1&api_key=${key}`, key],
    ['an encoded name and value', [], `%61pi%5fkey=${key.replaceAll('_', '%5F')}`, key],
    ['the same key everywhere', ['Authorization', `Bearer ${key}`, 'X-API-Key', key], `api_key=${key}`, key],
    [
      'the query, beside a bearer token of another system',
      ['Authorization', 'Bearer eyJ'],
      `api_key=${key}`,
      key,
    ],
    [
      'a bearer token, beside an empty X-API-Key',
      ['Authorization', `Bearer ${key}`, 'X-API-Key', ''],
      'api_key=',
      key,
    ],
    [
      'two Authorization headers that differ',
      ['Authorization', `Bearer ${key}`, 'Authorization', `Bearer ${other}`],
      '',
      null,
    ],
    ['two X-API-Key headers that differ', ['X-API-Key', key, 'X-API-Key', other], '', null],
    ['two keys in the query', [], `api_key=${key}&api_key=${other}`, null],
    [
      'X-API-Key and a Frontdesk bearer token that differ',
      ['X-API-Key', key, 'Authorization', 'Bearer fd_test_1'],
      '',
      null,
    ],
    ['a bearer token of another system alone', ['Authorization', 'Bearer eyJ'], '', null],
    ['Basic credentials', ['Authorization', `Basic ${key}`], '', null],
    ['an upper-case query name', [], `API_KEY=${key}`, null],
    ['a broken escape', [], `%=1&api_key=${key}%zz`, null],
    ['nothing', [], '', null],
  ])('%s', (_case, rawHeaders, query, expected) => {
    expect(findApiKey(rawHeaders, query)).toBe(expected);
  });
});

it('withoutApiKey removes every api_key and leaves the rest as it was written', () => {
  expect(withoutApiKey(`a=%20&api_key=${key}&b=x%2Fy&api%5Fkey=1&c`)).toBe('a=%20&b=x%2Fy&c');
  expect(withoutApiKey('api_key')).toBe('');
  expect(withoutApiKey('my_api_key=1&api_keys=2')).toBe('my_api_key=1&api_keys=2');
});

it('withoutFrontdeskKey leaves an api_key that is not ours, and the rest as it was written', () => {
  expect(withoutFrontdeskKey(`a=%20&api_key=${key}&api%5Fkey=fd%5Flive_x&b=x%2Fy&c`)).toBe('a=%20&b=x%2Fy&c');
  expect(withoutFrontdeskKey('api_key=theirs&a=%20&api_key')).toBe('api_key=theirs&a=%20&api_key');
});
