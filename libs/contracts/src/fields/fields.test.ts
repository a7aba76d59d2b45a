import type { z } from 'zod';
import {
  countryField,
  currencyField,
  dateField,
  pathId,
  queryInteger,
  requiredText,
  textField,
  timeField,
  timeZoneField,
} from './fields.ts';

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

describe('fields', () => {
  it.each([
    [dateField, '2028-02-29', true],
    [dateField, '2026-02-29', false],
    [dateField, '2026-2-9', false],
    [timeField, '23:59', true],
    [timeField, '24:00', false],
    [timeField, '9:00', false],
    [timeZoneField, 'Pacific/Chatham', true],
    [timeZoneField, '+02:00', false],
    [timeZoneField, '2026-01-01T00:00+05:00', false],
    [timeZoneField, '2026-01-01T12:00[Europe/Berlin]', false],
    [timeZoneField, 'Asia/Calcutta', true],
    [timeZoneField, 'UTC', true],
    [timeZoneField, 'Mars/Olympus', false],
    [currencyField, 'KWD', true],
    [currencyField, 'eur', false],
    [countryField, 'DE', true],
    [countryField, 'ZZ', false],
    [countryField, 'QQ', false],
    [queryInteger, '12', true],
    [queryInteger, '1e3', false],
    [queryInteger, '0x10', false],
    [queryInteger, ' 1', false],
    [requiredText(5), 'abc', true],
    [requiredText(5), '   ', false],
    [requiredText(5), 'a\0b', false],
    [requiredText(5), 'abcdef', false],
  ])('case %#: %o takes %j: %s', (schema, value, expected) => {
    expect(accepts(schema, value)).toBe(expected);
  });

  it('half of a surrogate pair is refused; whole ones stay', () => {
    expect(textField(9).safeParse('a\ud800b').success).toBe(false);
    expect(textField(9).parse('✂ 😀')).toBe('✂ 😀');
  });

  it.each(['0', '-1', '1.0', '01', 'abc', '9007199254740993', ''])(
    'a path id of %j names no record',
    (id) => {
      expect(accepts(pathId, { id })).toBe(false);
    },
  );
});
