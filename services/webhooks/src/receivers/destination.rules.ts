import { isIP } from 'node:net';
import type { FieldFault } from '@frontdesk/contracts';
import { isPublicAddress } from './ip-address.rules.ts';
import { isAmong, listOfPorts, type PortRange, portOf } from './ports.rules.ts';

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

export const NOT_PUBLIC: FieldFault = {
  text: 'The url field must lead to a public address.',
  reason: 'not_public_address',
};

/**
 * Why no delivery may go there, as far as the URL itself says so: its scheme, its port, its address, a name that can only be
 * local.
 * Its host is looked at as `URL` has normalised it, so every way of writing an address is the address by now.
 */
export function faultOfDestination(url: URL, rules: DestinationRules): FieldFault | null {
  if (!(url.protocol === 'https:' || (rules.allowHttp && url.protocol === 'http:')))
    return wrongScheme(rules);
  if (!isAmong(rules.ports, portOf(url))) {
    const ports = listOfPorts(rules.ports);
    return { text: `The url field must use one of the ports ${ports}.`, reason: 'port_not_allowed', ports };
  }
  if (rules.allowPrivate) return null;
  const host = hostOf(url);
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : NOT_PUBLIC;
  if (LOCAL_NAME.test(host) || !PUBLIC_NAME.test(host)) {
    return { text: 'The url field must name a host of the public internet.', reason: 'not_public_address' };
  }
  return null;
}

const wrongScheme = ({ allowHttp }: DestinationRules): FieldFault => ({
  text: `The url field must be ${allowHttp ? 'an http or https' : 'an https'} address.`,
  reason: 'not_web_address',
  allows_http: allowHttp,
});

/** The bare host: an address without brackets, a name without the dot that may end it. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** Why an address can't be an endpoint, as a message for the `url` field; null where it can, as far as it says itself. */
export function faultOfEndpointUrl(text: string, rules: DestinationRules): FieldFault | null {
  if (text.trim() === '') return { text: 'The url field is required.', reason: 'required' };
  const url = URL.parse(text);
  if (url === null) return wrongScheme(rules);
  if (url.username !== '' || url.password !== '')
    return { text: 'The url field must not contain credentials.', reason: 'has_credentials' };
  return faultOfDestination(url, rules);
}
