import { addressBlock, createClientAddress, isAddressOrRange, isWithin } from './client-address.ts';

const quiet = { warn: () => {} };

describe('the client’s address', () => {
  const behindProxies = createClientAddress(['10.0.0.0/8', 'fd00::/8', '127.0.0.1'], quiet);

  it.each([
    [
      'the socket’s, when no proxy is trusted',
      createClientAddress([], quiet),
      '10.0.0.1',
      '1.2.3.4',
      '10.0.0.1',
    ],
    ['the socket’s, when that is no proxy', behindProxies, '5.6.7.8', '1.2.3.4', '5.6.7.8'],
    ['the socket’s, without a header', behindProxies, '10.0.0.1', undefined, '10.0.0.1'],
    ['the right-most that no proxy has', behindProxies, '10.0.0.1', '9.9.9.9, 1.2.3.4, 10.0.0.2', '1.2.3.4'],
    ['the last proxy’s, when all are trusted', behindProxies, '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    [
      'the one before an entry that is no address',
      behindProxies,
      '10.0.0.1',
      '1.2.3.4, unknown, 10.0.0.2',
      '10.0.0.2',
    ],
    ['without port and brackets', behindProxies, '127.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
    ['IPv4 in IPv6 form', behindProxies, '::ffff:10.0.0.1', '1.2.3.4:80', '1.2.3.4'],
    ['IPv4 in IPv6 form, in hex', behindProxies, '::ffff:a00:1', '::FFFF:102:304', '1.2.3.4'],
    ['behind an IPv6 proxy', behindProxies, 'fd00::1', '2001:db8::2', '2001:db8::2'],
  ])('%s', (_case, clientAddress, socket, forwardedFor, expected) => {
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
    expect(clientAddress({ headers, socket: { remoteAddress: socket } })).toBe(expected);
  });

  it.each([
    ['no proxy is trusted', [], '172.18.0.7', '172.18.0.0/24'],
    ['others are', ['10.0.0.0/8'], '2001:db8:aaaa:bbbb::7', '2001:db8:aaaa::/48'],
  ])(
    'a header that is ignored is warned of once, with no more than a network: %s',
    (_case, trusted, socket, network) => {
      const warnings: unknown[][] = [];
      const clientAddress = createClientAddress(trusted, {
        warn: (...words: unknown[]) => warnings.push(words),
      });
      const from = (remoteAddress: string, headers: Record<string, string>) =>
        clientAddress({ headers, socket: { remoteAddress } });
      from(socket, {});
      expect(warnings).toEqual([]);
      for (const remoteAddress of [socket, socket, '203.0.113.9'])
        from(remoteAddress, { 'x-forwarded-for': '1.2.3.4' });
      expect(warnings).toEqual([[{ network }, expect.stringContaining('TRUSTED_PROXIES')]]);
    },
  );

  it('a header of a trusted proxy is warned of never', () => {
    const warn = jest.fn();
    const clientAddress = createClientAddress(['10.0.0.0/8'], { warn });
    const headers = { 'x-forwarded-for': '1.2.3.4' };
    expect(clientAddress({ headers, socket: { remoteAddress: '10.0.0.1' } })).toBe('1.2.3.4');
    expect(warn).not.toHaveBeenCalled();
  });
});

it.each([
  ['1.2.3.4', '1.2.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0DB8:1::', '2001:db8:1:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (address, block) => {
  expect(addressBlock(address)).toBe(block);
});

it.each([
  ['2001:db8:1:2345::6', 56, '2001:db8:1:2300::/56'],
  ['2001:db8:1:2345::6', 48, '2001:db8:1::/48'],
  ['::1', 56, '0:0:0:0::/56'],
  ['1.2.3.4', 48, '1.2.3.4'],
] as const)('%s is of the /%i %s', (address, bits, block) => {
  expect(addressBlock(address, bits)).toBe(block);
});

it.each([
  [['::/0'], '2001:db8::1', true],
  [['::/0'], '8.8.8.8', false],
  [['0.0.0.0/0'], '8.8.8.8', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['::ffff:0:0/90'], '8.8.8.8', false],
  [['0.0.0.0/0', '::/0'], '8.8.8.8', true],
  [['203.0.113.0/24'], '::ffff:203.0.113.9', true],
  [['203.0.113.0/24'], '::ffff:cb00:7109', true],
  [['::/0'], '::ffff:203.0.113.9', false],
  [['::ffff:203.0.113.0/120'], '203.0.113.9', true],
  [['::ffff:cb00:7100/120'], '203.0.114.9', false],
  [['::ffff:203.0.113.9'], '203.0.113.9', true],
  [['203.0.113.9'], 'nobody', false],
  [[], '203.0.113.9', false],
])('%j: whether it has %s: %s', (ranges, address, isIn) => {
  expect(isWithin(ranges)(address)).toBe(isIn);
});

it('reads addresses and ranges, and nothing else', () => {
  expect(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'].every(isAddressOrRange)).toBe(true);
  expect(['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::/129'].some(isAddressOrRange)).toBe(
    false,
  );
});
