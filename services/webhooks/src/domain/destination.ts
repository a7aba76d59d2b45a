import { isIP } from 'node:net';
import { isPublicAddress } from './ip-address.ts';
import { isAmong, listOfPorts, type PortRange, portOf } from './ports.ts';

export interface DestinationRules {
  /** Whether deliveries may go out unencrypted. */
  allowHttp: boolean;
  /** Whether deliveries may lead anywhere: this host and private networks too. */
  allowPrivate: boolean;
  ports: readonly PortRange[];
}

/** Never delegated in the public DNS: RFC 6761, 6762 (appendix G) and 8375, and ICANN's `internal`. */
const LOCAL_NAME = /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/;
const PUBLIC_NAME = /^(?=.{1,253}$)([a-z0-9_-]{1,63}\.)+[a-z0-9_-]{1,63}$/;

export const NOT_PUBLIC = 'The url field must lead to a public address.';

/**
 * Why no delivery may go there, as far as the URL itself says so: its scheme, its port, its address, a name that can only be
 * local.
 * Its host is looked at as `URL` has normalised it, so every way of writing an address is the address by now.
 */
export function faultOfDestination(url: URL, rules: DestinationRules): string | null {
  if (!(url.protocol === 'https:' || (rules.allowHttp && url.protocol === 'http:')))
    return wrongScheme(rules);
  if (!isAmong(rules.ports, portOf(url))) {
    return `The url field must use one of the ports ${listOfPorts(rules.ports)}.`;
  }
  if (rules.allowPrivate) return null;
  const host = hostOf(url);
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : NOT_PUBLIC;
  if (LOCAL_NAME.test(host) || !PUBLIC_NAME.test(host)) {
    return 'The url field must name a host of the public internet.';
  }
  return null;
}

export const wrongScheme = ({ allowHttp }: DestinationRules) =>
  `The url field must be ${allowHttp ? 'an http or https' : 'an https'} address.`;

/** The bare host: an address without brackets, a name without the dot that may end it. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
