import { isIP, type LookupFunction } from 'node:net';
import { textOfFault } from '@frontdesk/contracts';
import { type DestinationRules, faultOfDestination } from './destination.rules.ts';
import { isPublicAddress } from './ip-address.rules.ts';
import type { NameResolver } from './name-resolver.client.ts';

/** A name with hundreds of addresses is not for us to try one after the other. */
const MAX_ADDRESSES = 8;

export class AddressRefused extends Error {
  readonly code = 'ERR_ADDRESS_REFUSED';
}

export interface AddressGuard {
  /** What to send a request to. @throws AddressRefused where the URL itself shows that nothing may be sent there. */
  admit(url: string): URL;
  /** @throws AddressRefused where one of the name's addresses may not be reached, UnresolvedName where it has none. */
  addressesOf(host: string): Promise<string[]>;
  /** For sockets: they connect to the very addresses that were checked, and to nothing where one of them is refused. */
  lookup: LookupFunction;
}

/**
 * Stands between deliveries and the network. Each new connection is checked, by the addresses that it is about to use, so a
 * name that changes between look-ups gains nothing. One refused address refuses the whole name: no honest receiver has a
 * private address beside its public one, and leaving it out would only make the outcome depend on the order of answers.
 */
export function createAddressGuard(options: {
  rules: DestinationRules;
  resolver: NameResolver;
  isAllowed?: ((address: string) => boolean) | undefined;
}): AddressGuard {
  const { rules, resolver, isAllowed = rules.allowPrivate ? () => true : isPublicAddress } = options;

  const addressesOf = async (host: string) => {
    const addresses = isIP(host) === 0 ? await resolver.resolve(host.toLowerCase()) : [host];
    if (addresses.every(isAllowed)) return addresses.slice(0, MAX_ADDRESSES);
    throw new AddressRefused(`${host} leads to an address that is not public.`);
  };

  return {
    admit(text) {
      const url = URL.parse(text);
      if (url === null) throw new AddressRefused('It is no address.');
      const fault = faultOfDestination(url, rules);
      if (fault !== null) throw new AddressRefused(textOfFault(fault));
      return url;
    },
    addressesOf,
    lookup(hostname, { all }, callback) {
      addressesOf(hostname.replace(/\.$/, '')).then(
        (addresses) => {
          const found = addresses.map((address) => ({ address, family: isIP(address) }));
          const [first = { address: '', family: 0 }] = found;
          if (all) callback(null, found);
          else callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, all ? [] : ''),
      );
    },
  };
}
