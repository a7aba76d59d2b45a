import { isOfType } from './staff-picture.rules.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n1234', 'latin1');
const JPEG = Buffer.from('\xff\xd8\xff\xe01234', 'latin1');
const WEBP = Buffer.from('RIFF\n\r\x00\xffWEBPVP8 ', 'latin1');

describe('a picture', () => {
  it.each([
    ['image/png', PNG],
    ['image/jpeg', JPEG],
    ['image/webp', WEBP],
  ] as const)('of %s is the bytes of a file of that type', (type, file) => {
    expect(isOfType(type, file)).toBe(true);
  });

  it.each([
    ['image/png', JPEG],
    ['image/jpeg', WEBP],
    ['image/webp', PNG],
    ['image/png', Buffer.from('<svg onload="alert(1)"/>')],
    ['image/webp', Buffer.from('RIFF1234WAVE')],
    ['image/png', Buffer.alloc(0)],
  ] as const)('of %s may not be anything else', (type, file) => {
    expect(isOfType(type, file)).toBe(false);
  });
});
