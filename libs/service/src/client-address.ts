import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

interface Arrived {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

/** Tells who is calling: the address behind the proxies that the operator trusts. */
export type ClientAddress = (request: Arrived) => string;

/**
 * @param trusted addresses or CIDR ranges whose `X-Forwarded-For` is believed: its right-most entry that is not itself
 *   trusted is the client. From anyone else the header is ignored.
 */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  const proxies = blockListOf(trusted);
  const isTrusted = (address: string) => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

  return ({ headers, socket }) => {
    let client = plainAddress(socket.remoteAddress ?? '');
    const forwardedFor = [headers['x-forwarded-for'] ?? []].flat().join(',');
    if (!forwardedFor || trusted.length === 0) return client;
    const hops = forwardedFor.split(',').map((hop) => plainAddress(hop.trim()));
    while (isIP(client) !== 0 && isTrusted(client)) {
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

/** What failed attempts are counted against: one IPv4 address, or the /64 that one IPv6 subscriber has to itself. */
export function addressBlock(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] as string).split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Without a port, brackets or the IPv6 form of an IPv4 address. */
function plainAddress(text: string): string {
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  return bare.toLowerCase().startsWith('::ffff:') && bare.includes('.') ? bare.slice(7) : bare;
}
