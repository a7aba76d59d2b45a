import fc from 'fast-check';
import { searchPatterns, searchTextOf } from './search.ts';

describe('searchPatterns', () => {
  it('takes the wildcards of LIKE as text', () => {
    expect(searchPatterns('100%_a\\b')).toEqual(['%100\\%\\_a\\\\b%']);
  });

  it('looks for a formatted phone number by its digits too', () => {
    expect(searchPatterns('(030) 23-1')).toEqual(['%(030) 23-1%', '%030231%']);
    expect(searchPatterns('030231')).toEqual(['%030231%']);
  });

  it('does not take digits among letters for a phone number', () => {
    expect(searchPatterns('Anna 2')).toEqual(['%anna 2%']);
  });

  it('excludes nobody when the term is blank', () => {
    expect(searchPatterns(' \u001f ')).toEqual([]);
  });

  it('folds case beyond ASCII and leaves accents as they are', () => {
    expect(searchPatterns('ÉLODIE')).toEqual(['%élodie%']);
    expect(searchPatterns('E\u0301lodie')).toEqual(['%élodie%']);
  });
});

describe('searchTextOf', () => {
  it('keeps name, e-mail and phone digits apart, whatever they hold', () => {
    const customer = fc.record({
      name: fc.string({ unit: 'grapheme' }),
      email: fc.option(fc.string()),
      phone_digits: fc.stringMatching(/^\d{5,9}$/),
    });
    fc.assert(
      fc.property(customer, (given) => {
        const fields = searchTextOf(given).split('\u001f');
        expect(fields).toHaveLength(3);
        expect(fields[2]).toBe(given.phone_digits);
      }),
    );
  });

  it('holds every part of a name that someone may look for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), fc.nat(), (name, from, length) => {
        const text = searchTextOf({ name, email: null, phone_digits: '1' });
        const graphemes = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
        const start = from % (graphemes.length + 1);
        const term = graphemes.slice(start, start + 1 + (length % 5)).join('');
        for (const pattern of searchPatterns(term).slice(0, 1)) {
          expect(text).toContain(pattern.slice(1, -1).replace(/\\([\\%_])/g, '$1'));
        }
      }),
    );
  });
});
