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
  const [head = '', tail] = (address.split('%')[0] as string).split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after);
  }
  return groups.map((group) => Number.parseInt(group, 16));
}

/** Whether an address is one of these, or within one of these CIDR ranges. Text that is no address is in none. */
export function isWithin(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Without a port, brackets or the IPv6 form of an IPv4 address. */
function plainAddress(text: string): string {
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  return bare.toLowerCase().startsWith('::ffff:') && bare.includes('.') ? bare.slice(7) : bare;
}
