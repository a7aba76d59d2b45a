import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** RFC 4291: the only part of IPv6 that is given out as global unicast. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
/** RFC 6052: an IPv4 address as a network with IPv6 alone reaches it. */
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];
/**
 * Of public ranges, but answered only within a cloud, for its own tenants: no receiver is behind them. Azure's wire server;
 * the service endpoints of IBM Cloud; Google's private and restricted ways to its own interfaces.
 */
const CLOUD_INTERNAL = [
  ...['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14', '199.36.153.4/30', '199.36.153.8/30'],
  ...['2600:2d00:2:1000::/64', '2600:2d00:2:2000::/64'],
].map((range) => ipaddr.parseCIDR(range));
/** RFC 5214: 0:5efe or 200:5efe, and then an IPv4 address, to which a router may tunnel. */
const ISATAP = { flags: [0x0000, 0x0200], oui: 0x5efe };

/**
 * Whether a literal IP address is one of the public internet. What isn't plainly so is refused: every range of IANA's special
 * registries, what lies outside global unicast, what answers only within a cloud, and whatever holds an IPv4 address, NAT64
 * of a public one excepted.
 */
export function isPublicAddress(text: string): boolean {
  // ipaddr.js reads more than addresses (short and octal forms); a zone never belongs to a public one.
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv4 ? isPublicIPv4(address) : isPublicIPv6(address);
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !isCloudInternal(address);
}

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  // Networks without IPv4 give every IPv4 receiver such an address, so it is as public as the one inside.
  if (address.match(NAT64)) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(-4)));
  return (
    address.match(GLOBAL_UNICAST) &&
    address.range() === 'unicast' &&
    !isIsatap(address) &&
    !isCloudInternal(address)
  );
}

function isCloudInternal(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return CLOUD_INTERNAL.some((range) => range[0].kind() === address.kind() && address.match(range));
}

function isIsatap({ parts }: ipaddr.IPv6): boolean {
  const [flags = -1, oui] = parts.slice(4);
  return oui === ISATAP.oui && ISATAP.flags.includes(flags);
}
