import { MAX_CUSTOM_HEADERS } from '@frontdesk/contracts';
import {
  changedEndpointForm,
  HeaderFaults,
  headersIn,
  MAX_HEADERS_TEXT,
  newEndpointForm,
} from './endpoint-form.rules.ts';

const FIELDS = { url: 'https://example.com/', events: ['call.ended'] };
const FORM = { ...FIELDS, is_form: 'true', scopes: ['calls:read'] };
const faultsIn = (text: string) => {
  const read = headersIn(text, []);
  return read instanceof HeaderFaults ? read.messages : [];
};
const faultyFields = (parsed: { error?: { issues: { path: PropertyKey[] }[] } | undefined }) =>
  parsed.error?.issues.map(({ path }) => path[0]);

describe('headers as they are typed', () => {
  it('are a name and a value on each line, whatever ends it', () => {
    expect(
      headersIn('Authorization: Basic YTpi==\r\n\r\n  X-Team :  front : desk \nX-C:c\rX-D:d', []),
    ).toEqual({
      authorization: 'Basic YTpi==',
      'x-team': 'front : desk',
      'x-c': 'c',
      'x-d': 'd',
    });
    for (const none of ['', ' \r\n \n']) expect(headersIn(none, [])).toEqual({});
  });

  it('take the place of one that is ticked to be removed', () => {
    expect(headersIn('X-Team: b', ['x-team', 'x-old'])).toEqual({ 'x-team': 'b', 'x-old': null });
  });

  it.each([
    ['Bearer s3cret', 'Line 1: Enter a name, a colon and a value'],
    ['X-A: a\n\ns3cret', 'Line 3: Enter a name, a colon and a value'],
    ['Bearer s3cret: x', 'Line 1: Enter the name of a header'],
    [': s3cret', 'Line 1: Enter the name of a header'],
    ['Host: s3cret', 'Line 1: Frontdesk sets this header itself.'],
    ['webhook-id: s3cret', 'Line 1: Frontdesk sets this header itself.'],
    ['X-A: s3cret\nx-a: s3cret', 'Line 2: Enter each header once.'],
    ['X-A:', 'Line 1: Enter a value of at most 1,024 letters'],
    ['X-A: s3cret é', 'Line 1: Enter a value of at most 1,024 letters'],
  ])('%j: %s, and what stands there is not repeated', (text, words) => {
    const faults = faultsIn(text);
    expect(faults).toEqual([expect.stringContaining(words)]);
    expect(faults.join()).not.toContain('s3cret');
  });

  it('are no more and no longer than an endpoint takes', () => {
    expect(faultsIn(`X-A: ${'s3cret'.repeat(200)}`)).toEqual([
      expect.stringContaining('Line 1: Enter a value of at most 1,024 letters'),
    ]);
    const many = Array.from({ length: MAX_CUSTOM_HEADERS + 1 }, (_, index) => `X-${index}: a`);
    expect(faultsIn(many.join('\n'))).toEqual(['Use at most 10.']);
    expect(faultsIn('s'.repeat(MAX_HEADERS_TEXT + 1))).toEqual(['Use at most 11,280 characters.']);
  });

  it('say of each wrong line what is wrong', () => {
    expect(faultsIn('a\nX-A: a\nHost: b')).toHaveLength(2);
  });
});

describe('a form', () => {
  it('sends its boxes and lines, or none of them', () => {
    const typed = { ...FORM, events: 'call.ended', scopes: 'calls:read', headers: 'X-Team: a' };
    const endpoint = { ...FIELDS, scopes: ['calls:read'], headers: { 'x-team': 'a' } };
    expect(newEndpointForm.parse(typed)).toEqual(endpoint);
    expect(newEndpointForm.parse({ ...FORM, headers: '' })).toMatchObject({ headers: {} });
    expect(newEndpointForm.parse(FORM)).toMatchObject({ headers: {} });
    expect(changedEndpointForm.parse({ ...FORM, removed_headers: 'x-team' })).toEqual({
      ...FIELDS,
      headers: { 'x-team': null },
    });
  });

  it('without any scope is refused, never taken for all', () => {
    expect(faultyFields(newEndpointForm.safeParse({ ...FORM, scopes: undefined }))).toEqual(['scopes']);
    // On an endpoint that is there they are fixed.
    expect(changedEndpointForm.parse({ ...FORM, scopes: undefined })).toEqual({ ...FIELDS, headers: {} });
  });

  it('has all its faults at once', () => {
    const typed = { is_form: 'true', url: 'https://example.com/', headers: 'x' };
    expect(faultyFields(newEndpointForm.safeParse(typed))).toEqual(['events', 'scopes', 'headers']);
    const odd = { ...FORM, removed_headers: ['no name', 'host'] };
    expect(faultyFields(changedEndpointForm.safeParse(odd))).toEqual(['headers', 'headers']);
    expect(faultyFields(newEndpointForm.safeParse({ ...FORM, headers: ['a: b', 'c: d'] }))).toEqual([
      'headers',
    ]);
  });
});

describe('a program', () => {
  it('sends what the contract has', () => {
    expect(newEndpointForm.parse(FIELDS)).toEqual(FIELDS);
    const headers = { 'X-Team': 'a' };
    expect(newEndpointForm.parse({ ...FIELDS, headers })).toMatchObject({ headers: { 'x-team': 'a' } });
    expect(changedEndpointForm.parse({ ...FIELDS, headers: { 'x-team': null } })).toMatchObject({
      headers: { 'x-team': null },
    });
    expect(changedEndpointForm.parse({ ...FIELDS, headers: null })).toMatchObject({ headers: null });
  });

  it.each([
    [{ headers: 'X-Team: a' }, ['headers']],
    [{ headers: null }, ['headers']],
    [{ scopes: [] }, ['scopes']],
    [{ scopes: 'calls:read' }, ['scopes']],
    [{ removed_headers: [7] }, ['removed_headers']],
  ])('is refused for %j', (fields, faulty) => {
    expect(faultyFields(newEndpointForm.safeParse({ ...FIELDS, ...fields }))).toEqual(faulty);
  });
});
