import { parsePhone, writePhone } from './phone.ts';

describe('parsePhone', () => {
  it.each([
    ['030 23125 123', 'DE', '+493023125123'],
    ['030/23125-123', 'DE', '+493023125123'],
    [' (030) 23125123\n', 'DE', '+493023125123'],
    ['+49 (0)30 23125 123', 'US', '+493023125123'],
    ['0049 30 23125 123', 'DE', '+493023125123'],
    ['\u202a+49 30 23125 123\u202c', 'DE', '+493023125123'],
    ['+49 30 23125 123 ext. 7', 'DE', '+493023125123'],
    ['(212) 555-0123', 'US', '+12125550123'],
    ['1-212-555-0123', 'US', '+12125550123'],
    ['+1 212 555 0123', 'DE', '+12125550123'],
    ['２１２５５５０１２３', 'US', '+12125550123'],
    ['0491 570 156', 'AU', '+61491570156'],
    ['98765 43210', 'IN', '+919876543210'],
    ['06 12345678', 'IT', '+390612345678'],
  ])('takes %s, written in %s, as %s', (text, country, e164) => {
    expect(parsePhone(text, country)?.e164).toBe(e164);
  });

  it.each([
    ['a range that is kept for fiction', '07700 900123', 'GB', '+447700900123'],
    ['an area code that does not exist yet', '+1 555 123 4567', 'US', '+15551234567'],
    ['a short number of a small country', '+683 4000', 'DE', '+6834000'],
  ])('takes %s', (_what, text, country, e164) => {
    expect(parsePhone(text, country)?.e164).toBe(e164);
  });

  it.each([
    ['words', 'call me', 'DE'],
    ['a number within words', 'Call 030 23125123 now', 'DE'],
    ['letters for digits', '1-800-FLOWERS', 'US'],
    ['too few digits', '12345', 'DE'],
    ['a local number without its area code', '555-0123', 'US'],
    ['an emergency number', '112', 'DE'],
    ['too many digits', '+49 30 1234567890123456', 'DE'],
    ['a country code that does not exist', '+999 1234 5678', 'DE'],
    ['a plus alone', '+', 'DE'],
    ['an e-mail address', 'anna@example.com', 'DE'],
  ])('refuses %s', (_what, text, country) => {
    expect(parsePhone(text, country)).toBeNull();
  });

  it('needs the country code where the country has no numbers of its own', () => {
    expect(parsePhone('030 23125 123', 'AQ')).toBeNull();
    expect(parsePhone('+49 30 23125 123', 'AQ')?.e164).toBe('+493023125123');
  });

  it('keeps the digits of each way to write the number, each once', () => {
    expect(parsePhone('+49 (0)30 23125 123', 'DE')?.digits).toBe('493023125123 03023125123 4903023125123');
    expect(parsePhone('030 23125 123', 'DE')?.digits).toBe('493023125123 03023125123');
  });
});

describe('writePhone', () => {
  it.each([
    ['+493023125123', 'DE', '030 23125123'],
    ['030/23125-123', 'DE', '030 23125123'],
    ['+12125550123', 'DE', '+1 212 555 0123'],
    ['+12125550123', 'US', '(212) 555-0123'],
    ['+493023125123', 'US', '+49 30 23125123'],
    ['+442079460018', 'GB', '020 7946 0018'],
    ['+390612345678', 'IT', '06 1234 5678'],
    ['+15551234567', 'CA', '(555) 123-4567'],
    ['+493023125123', null, '+49 30 23125123'],
    ['+493023125123', 'AQ', '+49 30 23125123'],
    ['\u202a+49 30 23125 123\u202c', 'DE', '030 23125123'],
  ])('writes %s for people in %s as %s', (number, country, text) => {
    expect(writePhone(number, country)?.text).toBe(text);
  });

  it('tells what to dial from anywhere', () => {
    expect(writePhone('030 23125 123 ext. 7', 'DE')).toEqual({
      text: '030 23125123 ext. 7',
      e164: '+493023125123',
    });
  });

  it.each([
    ['reception', 'DE'],
    ['030 23125123', null],
    ['12345', 'DE'],
    ['', 'DE'],
  ])('leaves alone what is no number: %s in %s', (number, country) => {
    expect(writePhone(number, country)).toBeNull();
  });
});
