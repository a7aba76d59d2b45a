import { because, dateField, positiveId, requiredText } from '@frontdesk/contracts';
import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';
import { serializerCompiler, validatorCompiler } from './zod-provider.ts';

const schema = z.object({
  events: z.array(z.enum(['made', 'gone'])),
  staff: z.array(z.object({ hours: z.array(z.int()) })).optional(),
});

function errorsFor(body: unknown, by: z.ZodType = schema) {
  const validate = validatorCompiler({ schema: by, httpPart: 'body', method: 'POST', url: '/' });
  const result = validate(body) as { error?: AppError };
  expect(result.error).toBeInstanceOf(AppError);
  return result.error?.errors ?? {};
}

const wrong = (length: number) => Array.from({ length }, () => 'odd');

describe('a body with lists', () => {
  it('is refused by their length before anybody looks at each entry', () => {
    expect(errorsFor({ events: wrong(250_000) })).toEqual({
      events: ['The events field holds too many entries.'],
    });
    const staff = Array.from({ length: 300 }, () => ({ hours: wrong(1_000) }));
    expect(errorsFor({ events: [], staff })).toEqual({ staff: ['The staff field holds too many entries.'] });
  });

  it.each([
    ['several schemas', z.intersection(z.object({ name: z.string() }), schema)],
    ['a form that is converted', z.looseObject({}).pipe(z.preprocess((form) => form, schema))],
  ])('is refused so where it is made up of %s', (_what, whole) => {
    expect(errorsFor({ name: 'A', events: wrong(250_000) }, whole)).toEqual({
      events: ['The events field holds too many entries.'],
    });
  });

  it('names a hundred wrong entries', () => {
    expect(Object.keys(errorsFor({ events: wrong(1_000) }))).toHaveLength(100);
  });

  it('may hold whatever it likes in a field that nobody knows', () => {
    const validate = validatorCompiler({ schema, httpPart: 'body', method: 'POST', url: '/' });
    expect(validate({ events: ['made'], unknown: wrong(5_000) })).toEqual({ value: { events: ['made'] } });
  });
});

describe('the reason of a refusal', () => {
  const form = z.object({
    name: requiredText(3),
    minutes: z.int().min(5).max(60),
    price: z.number(),
    kind: z.enum(['a', 'b']),
    kinds: z.array(z.string()).min(1).max(2),
    date: dateField,
    odd: z
      .string()
      .refine((text) => text !== 'odd', because({ reason: 'not_email' }, 'The {field} field is odd.')),
    id: positiveId,
  });
  const good = {
    name: 'Mia',
    minutes: 30,
    price: 1.5,
    kind: 'a',
    kinds: ['x'],
    date: '2031-06-02',
    odd: '',
    id: 1,
  };

  it.each([
    ['name', undefined, { reason: 'required' }],
    ['name', null, { reason: 'required' }],
    ['name', ' ', { reason: 'required' }],
    ['name', 7, { reason: 'not_text' }],
    ['name', 'Maria', { reason: 'too_long', most: 3 }],
    ['minutes', 'soon', { reason: 'not_whole_number' }],
    ['minutes', 7.5, { reason: 'not_whole_number' }],
    ['minutes', 4, { reason: 'too_low', least: 5 }],
    ['minutes', 61, { reason: 'too_high', most: 60 }],
    ['price', 'cheap', { reason: 'not_number' }],
    ['kind', 'c', { reason: 'not_a_choice' }],
    ['kinds', 'x', { reason: 'not_a_choice' }],
    ['id', 0, { reason: 'not_a_choice' }],
    ['kinds', [], { reason: 'too_few', least: 1 }],
    ['kinds', ['x', 'y', 'z'], { reason: 'too_many', most: 2 }],
    ['date', 'tomorrow', { reason: 'not_date' }],
    ['date', '2031-02-30', { reason: 'not_date' }],
    ['odd', 'odd', { reason: 'not_email' }],
  ])('%s %j: %j', (name, value, reason) => {
    const validate = validatorCompiler({ schema: form, httpPart: 'body', method: 'POST', url: '/' });
    const { error } = validate({ ...good, [name]: value }) as { error?: AppError };
    expect(error?.faults).toEqual({ [name]: [{ text: error?.errors?.[name]?.[0], ...reason }] });
  });

  it('what is wrong with the body as a whole: the sentence alone', () => {
    const validate = validatorCompiler({ schema: form, httpPart: 'body', method: 'POST', url: '/' });
    const { error } = validate([]) as { error?: AppError };
    expect(error?.faults).toEqual({ body: ['The request body must be a JSON object.'] });
  });
});

it('a format says something to readers, and changes no byte of an answer', () => {
  const textsOf = (meta: z.core.GlobalMeta) =>
    z.object({
      at: z.string().meta(meta),
      until: z.string().meta(meta).nullable(),
      all: z.array(z.string().meta(meta)),
    });
  const write = (meta: z.core.GlobalMeta, value: unknown) =>
    serializerCompiler({ schema: textsOf(meta), method: 'GET', url: '/', httpStatus: '200' })(value);
  // Of a Date, a serialiser that knows the format would write the day on this machine's clocks.
  for (const one of [
    '2026-03-09T10:00:00+01:00',
    '2026-03-09',
    'quoted " and \\',
    new Date(1_788_999_999_000),
  ])
    for (const until of [one, null])
      for (const format of ['date-time', 'date', 'time']) {
        const value = { at: one, until, all: [one] };
        expect(write({ format, description: 'A day.' }, value)).toBe(write({}, value));
        expect(JSON.parse(write({ format }, value))).toEqual(JSON.parse(JSON.stringify(value)));
      }
});
