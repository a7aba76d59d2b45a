import { type DestinationRules, faultOfDestination } from './destination.ts';

export interface EndpointRules extends DestinationRules {
  allowHttp: boolean;
}

/** Why an address can't be an endpoint, as a message for the `url` field; null where it can, as far as it says itself. */
export function faultOfEndpointUrl(text: string, rules: EndpointRules): string | null {
  if (text.trim() === '') return 'The url field is required.';
  const allowed = rules.allowHttp ? 'an http or https' : 'an https';
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAllowed = url?.protocol === 'https:' || (rules.allowHttp && url?.protocol === 'http:');
  if (!url || !isAllowed) return `The url field must be ${allowed} address.`;
  if (url.username !== '' || url.password !== '') return 'The url field must not contain credentials.';
  return faultOfDestination(url, rules);
}
