import { customerLines } from './customers-csv.rules.ts';

const customer = {
  id: 7,
  name: 'Mia Wong',
  phone: '030 901820',
  email: null,
  segment: 'lead' as const,
  pipeline_stage: null,
  notes: null,
  source: 'api',
  created_at: '2026-01-31T09:00:00.000Z',
  updated_at: '2026-02-01T09:00:00.000Z',
};
const lineOf = (fields: object) => customerLines([{ ...customer, ...fields }], { isFirst: false });

it('names the columns once, after the mark by which Excel knows UTF-8', () => {
  const line = '7,Mia Wong,030 901820,,lead,,,api,2026-01-31T09:00:00.000Z,2026-02-01T09:00:00.000Z\r\n';
  expect(customerLines([customer], { isFirst: true })).toBe(
    `\ufeffid,name,phone,email,segment,pipeline_stage,notes,source,created_at,updated_at\r\n${line}`,
  );
  expect(lineOf({})).toBe(line);
});

it.each(['=1+1', '+49 30', '-1', '@SUM(1)', '＝1'])(
  'a value that a spreadsheet would take for a formula is text: %j',
  (notes) => {
    expect(lineOf({ notes })).toContain(`,,'${notes},api,`);
  },
);

it.each([
  ['x;=1+1;y', "x;'=1+1;y"],
  ['\t=1', "\t'=1"],
  ['a|  @SUM(1)', "a|  '@SUM(1)"],
  ['a\n=1+1', `"a\n'=1+1"`],
  ['x;"=1"', `"x;""'=1"""`],
  ['1-1; a+b = c', '1-1; a+b = c'],
])('so is a part that becomes a value where another sign separates them: %j', (notes, written) => {
  expect(lineOf({ notes })).toContain(`,,${written},api,`);
});

it('keeps commas, quotes and lines within a value', () => {
  expect(lineOf({ name: 'Wong, "Mia"', notes: '\r=1\nb' })).toContain(
    '7,"Wong, ""Mia""",030 901820,,lead,,"\r\'=1\nb",',
  );
});
