import { etagOf, namesTag, namesVersion } from './entity-tags.ts';

const shown = { id: 7, total: 3 };

describe('an ETag', () => {
  it('is the version where the answer shows the row alone', () => {
    expect(etagOf(12)).toBe('"12"');
  });

  it('is another one for every version and for whatever else the answer shows', () => {
    const tags = [etagOf(1), etagOf(1, shown), etagOf(2, shown), etagOf(1, { ...shown, total: 4 })];
    expect(new Set(tags).size).toBe(4);
    expect(etagOf(1, { ...shown })).toBe(etagOf(1, shown));
    expect(tags.every((tag) => /^"[!#-~]+"$/.test(tag))).toBe(true);
  });
});

describe('If-Match', () => {
  it.each([
    '*',
    ' * ',
    '"3"',
    ' "3" ',
    '"3",',
    ', ,"3"',
    '"1", "3"',
    '"1","3"',
    'W/"3"',
    'W/"3-abc"',
    '"3-of,another,digest"',
    '"1-a,b" , W/"3-c,d"',
    '"3-abc-gzip"',
    '"3-gzip"',
    etagOf(3),
    etagOf(3, shown),
    `W/${etagOf(3, shown)}`,
  ])('%s allows version 3', (sent) => {
    expect(namesVersion(sent, 3)).toBe(true);
  });

  it.each([
    '',
    ' ',
    ',',
    '3',
    '"',
    '"3',
    '3"',
    '"33"',
    '"13"',
    '"03"',
    '"+3"',
    '" 3"',
    '"3 "',
    '"3abc"',
    '"-3"',
    '"1-3"',
    '"abc,3"',
    '"1,"3"',
    '"3" x',
    'x"3"',
    '"3" "4"',
    'w/"3"',
    'W/ "3"',
    'W/3',
    '*, "3"',
    '"3", *',
    '"3"\u0000',
    etagOf(4, shown),
  ])('%j does not', (sent) => {
    expect(namesVersion(sent, 3)).toBe(false);
  });

  // By quadratic work, these would take minutes.
  it.each([' ', ',', '"', '""', 'W/', '"a" ', '"3",', ' ,'])('a long header of %j does not', (text) => {
    for (const end of ['', 'x']) expect(namesVersion(text.repeat(20_000) + end, 4)).toBe(false);
  });
});

describe('If-None-Match', () => {
  const etag = etagOf(3, shown);

  it.each(['*', etag, `W/${etag}`, `"1", ${etag}`, `"a,b",W/${etag}`])('%s knows it', (sent) => {
    expect([namesTag(sent, etag), namesTag(sent, `W/${etag}`)]).toEqual([true, true]);
  });

  it.each(['"3"', 'W/"3"', etag.slice(1, -1), `x${etag}`, `${etag} x`, etagOf(3, {}), etagOf(4, shown), ''])(
    '%j does not',
    (sent) => {
      expect(namesTag(sent, etag)).toBe(false);
    },
  );
});
