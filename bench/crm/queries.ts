import type { Send } from './send.ts';

const list = (query: Record<string, string> = {}) => `/api/v1/customers?${new URLSearchParams(query)}`;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** The cursor after so many pages of 100. */
async function cursorAfter(send: Send, pages: number, query: Record<string, string>): Promise<string> {
  let cursor: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const { meta } = await send(list({ ...query, per_page: '100', ...(cursor && { cursor }) }));
    cursor = meta?.next_cursor;
  }
  if (!cursor) throw new Error('The list is shorter than that.');
  return cursor;
}

/** What integrators ask the list for, and one customer with the most appointments. */
export async function everyQuery(send: Send, regular: number): Promise<[name: string, path: string][]> {
  const search = (term: string, also: Record<string, string> = {}) => list({ search: term, ...also });
  const oldest = { sort: 'created_at' };
  return [
    ['one customer, 10,000 appointments', `/api/v1/customers/${regular}`],
    ['first page', list()],
    ['first page of 100', list({ per_page: '100' })],
    ...['created_at', 'updated_at', '-updated_at'].map((sort): [string, string] => [
      `first page, sort=${sort}`,
      list({ sort }),
    ]),
    ['cursor, 20,000 customers on', list({ cursor: await cursorAfter(send, 200, {}) })],
    [
      'cursor, sort=updated_at',
      list({ sort: 'updated_at', cursor: await cursorAfter(send, 50, { sort: 'updated_at' }) }),
    ],
    ['page 50', list({ page: '50' })],
    ...['lead', 'vip'].map((segment): [string, string] => [`segment=${segment}`, list({ segment })]),
    ...['new', 'on hold', 'none such'].map((stage): [string, string] => [
      `pipeline_stage=${stage}`,
      list({ pipeline_stage: stage }),
    ]),
    ['segment and stage', list({ segment: 'vip', pipeline_stage: 'on hold' })],
    ['segment, sort=-updated_at', list({ segment: 'vip', sort: '-updated_at' })],
    ['stage nobody has, sort=updated_at', list({ pipeline_stage: 'none such', sort: 'updated_at' })],
    ['search=an (two characters)', search('an')],
    ['search=e (one character)', search('e')],
    ['search=qq (two characters, rare)', search('qq')],
    ['search=% (one character, nobody)', search('%')],
    ['search=--- (no letters)', search('---')],
    ['search=gmail (a quarter of all)', search('gmail')],
    ['search=müller', search('müller')],
    ['search=wolf', search('wolf')],
    ['search=Papadopoulos', search('Papadopoulos')],
    ['search=Papadopoulos, 100 a page', search('Papadopoulos', { per_page: '100' })],
    ['search=Żeljko Nowak (rare)', search('Żeljko Nowak')],
    ['search=nobody at all', search('nobody at all')],
    ['search of a whole e-mail address', search('anna.muller77@gmail.com')],
    ['search of a phone number', search('+49 1512 3456789')],
    ['search=7919 (digits)', search('7919')],
    ['search=49 (two digits)', search('49')],
    ['search and segment', search('müller', { segment: 'vip' })],
    ['search, segment and stage', search('wolf', { segment: 'vip', pipeline_stage: 'lost' })],
    ['search, sort=created_at', search('wolf', oldest)],
    ['search, sort=-updated_at', search('wolf', { sort: '-updated_at' })],
    ['search, cursor', search('anna', { cursor: await cursorAfter(send, 10, { search: 'anna' }) })],
    ['updated_since a day ago', list({ updated_since: daysAgo(1) })],
    ['updated_since three weeks ago', list({ updated_since: daysAgo(21) })],
    ['updated_since ever', list({ updated_since: '1970-01-01T00:00:00Z' })],
    ['updated_since and segment', list({ updated_since: daysAgo(300), segment: 'vip' })],
    ['updated_since and search', list({ updated_since: daysAgo(300), search: 'wolf' })],
  ];
}
