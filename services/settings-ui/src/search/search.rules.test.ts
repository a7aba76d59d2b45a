import { ALL_SCOPES } from '@frontdesk/contracts';
import { PAGES, pagesNamed, recordNumber } from './search.rules.ts';

it.each([
  ['', PAGES.map(({ name }) => name)],
  ['aud', ['Audit log']],
  ['call back', ['Missed callers to call back']],
  ['log audit', ['Audit log']],
  ['ustomers', []],
])('pages by "%s"', (text, names) => {
  expect(pagesNamed(text, { scopes: ALL_SCOPES }).map(({ name }) => name)).toEqual(names);
});

it.each([
  ['12', 12],
  [' #12 ', 12],
  ['0', null],
  ['12a', null],
  ['+12', null],
  ['1234567890123456', null],
])('"%s" as the number of a record', (text, number) => {
  expect(recordNumber(text)).toBe(number);
});
