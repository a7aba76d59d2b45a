import { isAmong, listOfPorts, parsePortRanges, portOf } from './ports.rules.ts';

describe('ranges of ports', () => {
  it('hold both of their ends', () => {
    const ranges = parsePortRanges('80, 443,1024-65535') ?? [];
    const allowed = [1, 79, 80, 81, 443, 1_023, 1_024, 5_000, 65_535].filter((port) => isAmong(ranges, port));
    expect(allowed).toEqual([80, 443, 1_024, 5_000, 65_535]);
    expect(listOfPorts(ranges)).toBe('80, 443, 1024-65535');
  });

  it.each(['', '0', '65536', '443-80', '80,', '80;443', '-1', '80-', 'https', '1-2-3', '999999'])(
    'are not "%s"',
    (text) => {
      expect(parsePortRanges(text)).toBeNull();
    },
  );
});

describe('portOf', () => {
  it.each([
    ['http://example.com', 80],
    ['https://example.com', 443],
    ['https://example.com:8443', 8_443],
    ['http://example.com:0', 0],
  ])('%s leads to port %i', (url, port) => {
    expect(portOf(new URL(url))).toBe(port);
  });
});
