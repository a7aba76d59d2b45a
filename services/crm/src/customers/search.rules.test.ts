import fc from 'fast-check';
import { containing, gramsOf, searchedTexts, searchTextOf } from './search.rules.ts';

describe('searchedTexts', () => {
  it('looks for a formatted phone number by its digits too', () => {
    expect(searchedTexts('(030) 23-1')).toEqual(['(030) 23-1', '030231']);
    expect(searchedTexts('030231')).toEqual(['030231']);
  });

  it('does not take digits among letters for a phone number', () => {
    expect(searchedTexts('Anna 2')).toEqual(['anna 2']);
  });

  it('excludes nobody when the term is blank', () => {
    expect(searchedTexts(' \u001f ')).toEqual([]);
    expect(searchedTexts('\u0301')).toEqual([]);
  });

  it('folds case and accents beyond ASCII, and leaves other scripts’ letters whole', () => {
    expect(searchedTexts('ÉLODIE')).toEqual(['elodie']);
    expect(searchedTexts('E\u0301lodie')).toEqual(['elodie']);
    expect(searchedTexts('İzmir ışık')).toEqual(['izmir isik']);
    expect(searchedTexts('STRASSE Straße Łódź Ærø')).toEqual(['strasse strasse lodz aero']);
    expect(searchedTexts('ΝΊΚΟΣ')).toEqual(['νικοσ']);
    expect(searchedTexts('가나 हिन्दी ガ')).toEqual(['가나 हिन्दी ガ']);
  });
});

it('takes the wildcards of LIKE as text', () => {
  expect(containing('100%_a\\b')).toBe('%100\\%\\_a\\\\b%');
});

it('gramsOf a text are its pairs of characters, and a single character is itself', () => {
  expect(gramsOf('王')).toEqual(['王']);
  expect(gramsOf('a%🌸')).toEqual(['a%', '%🌸']);
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
        for (const wanted of searchedTexts(term).slice(0, 1)) expect(text).toContain(wanted);
      }),
    );
  });
});
