import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import type { Logger } from '../run/logging.ts';

interface Arrived {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

/** The address of the client, behind the proxies that the operator trusts. */
export type ClientAddress = (request: Arrived) => string;

/**
 * @param trusted addresses or CIDR ranges whose `X-Forwarded-For` is believed: its right-most entry that is not itself
 *   trusted is the client. The header of any other sender is ignored, with one warning: the sender may be a proxy that
 *   is missing in the list, and then all its clients count as one.
 */
export function createClientAddress(trusted: readonly string[], logger: Pick<Logger, 'warn'>): ClientAddress {
  const isTrusted = isWithin(trusted);
  let hasWarned = false;
  const warnOnce = (sender: string) => {
    if (hasWarned) return;
    hasWarned = true;
    logger.warn(
      { network: networkOf(sender) },
      'An X-Forwarded-For is ignored: its sender is not in TRUSTED_PROXIES. This is said once.',
    );
  };

  return ({ headers, socket }) => {
    let client = plainAddress(socket.remoteAddress ?? '');
    const forwardedFor = [headers['x-forwarded-for'] ?? []].flat().join(',');
    if (!forwardedFor) return client;
    if (!isTrusted(client)) {
      warnOnce(client);
      return client;
    }
    const hops = forwardedFor.split(',').map((hop) => plainAddress(hop.trim()));
    while (isTrusted(client)) {
      const hop = hops.pop();
      if (hop === undefined || isIP(hop) === 0) break;
      client = hop;
    }
    return client;
  };
}

/** Whether the text is an address or a range that `createClientAddress` can read. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const longest = isIPv4(address) ? 32 : 128;
  if (isIP(address) === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
}

/**
 * The block of addresses that failed attempts are counted for: one IPv4 address, or the /64 of an IPv6 subscriber. Some
 * subscribers have a /56 or a /48. Text that is no IPv6 address comes back as it is.
 */
export function addressBlock(address: string, bits: 48 | 56 | 64 = 64): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address).slice(0, Math.ceil(bits / GROUP_BITS));
  const last = groups.length - 1;
  const hidden = groups.length * GROUP_BITS - bits;
  const kept = groups.map((group, place) => (place === last ? (group >> hidden) << hidden : group));
  return `${kept.map((group) => group.toString(16)).join(':')}::/${bits}`;
}

/** The /24 of an IPv4 address, the /48 of an IPv6 one: enough to recognise where one is, too little to identify a person. */
export const networkOf = (address: string): string =>
  isIPv4(address) ? address.replace(/\d+$/, '0/24') : addressBlock(address, 48);

const GROUP_BITS = 16;

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [bare = ''] = address.split('%');
  const inHex = bare.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = '', tail] = inHex.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after);
  }
  return groups.map((group) => Number.parseInt(group, 16));
}

/** Whether an address is one of these, or within one of these CIDR ranges. Text that is no address is in none. */
export function isWithin(ranges: readonly string[]): (address: string) => boolean {
  // One for each family: in a list of both, an IPv4 address is in every IPv6 range that has its mapped form, such as ::/0.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges) {
    const [text = '', bits] = range.split('/');
    const v4 = mappedAddress(text);
    if (bits === undefined) lists[familyOf(v4 ?? text)].addAddress(v4 ?? text, familyOf(v4 ?? text));
    else if (v4 !== null && Number(bits) >= MAPPED_BITS) lists.ipv4.addSubnet(v4, Number(bits) - MAPPED_BITS);
    else lists[familyOf(text)].addSubnet(text, Number(bits), familyOf(text));
  }
  return (text) => {
    const address = mappedAddress(text) ?? text;
    const family = familyOf(address);
    return isIP(address) !== 0 && lists[family].check(address, family);
  };
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Without a port, brackets or the IPv6 form of an IPv4 address. */
function plainAddress(text: string): string {
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  return mappedAddress(bare) ?? bare;
}

/** How many bits all IPv6 forms of IPv4 addresses (`::ffff:1.2.3.4`, `::ffff:102:304`) have in common. */
const MAPPED_BITS = 96;

/** The IPv4 address that this IPv6 address is a form of; null where it is none. */
function mappedAddress(address: string): string | null {
  if (!isIPv6(address)) return null;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  if (groups[5] !== 0xff_ff || groups.slice(0, 5).some((group) => group !== 0)) return null;
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
