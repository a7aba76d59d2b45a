import { type DestinationRules, faultOfDestination, wrongScheme } from './destination.ts';

/** Why an address can't be an endpoint, as a message for the `url` field; null where it can, as far as it says itself. */
export function faultOfEndpointUrl(text: string, rules: DestinationRules): string | null {
  if (text.trim() === '') return 'The url field is required.';
  const url = URL.parse(text);
  if (url === null) return wrongScheme(rules);
  if (url.username !== '' || url.password !== '') return 'The url field must not contain credentials.';
  return faultOfDestination(url, rules);
}
