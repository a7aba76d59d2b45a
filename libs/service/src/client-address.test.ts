import { addressBlock, createClientAddress, isAddressOrRange } from './client-address.ts';

describe('the client’s address', () => {
  const behindProxies = createClientAddress(['10.0.0.0/8', 'fd00::/8', '127.0.0.1']);

  it.each([
    ['the socket’s, when no proxy is trusted', createClientAddress([]), '10.0.0.1', '1.2.3.4', '10.0.0.1'],
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
    ['behind an IPv6 proxy', behindProxies, 'fd00::1', '2001:db8::2', '2001:db8::2'],
  ])('%s', (_case, clientAddress, socket, forwardedFor, expected) => {
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
    expect(clientAddress({ headers, socket: { remoteAddress: socket } })).toBe(expected);
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

it('reads addresses and ranges, and nothing else', () => {
  expect(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'].every(isAddressOrRange)).toBe(true);
  expect(['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::/129'].some(isAddressOrRange)).toBe(
    false,
  );
});
