/** Why an address can't be an endpoint, as a message for the `url` field; null where it can. */
export function faultOfEndpointUrl(text: string, options: { allowHttp: boolean }): string | null {
  if (text.trim() === '') return 'The url field is required.';
  const allowed = options.allowHttp ? 'an http or https' : 'an https';
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAllowed = url?.protocol === 'https:' || (options.allowHttp && url?.protocol === 'http:');
  if (!url || !isAllowed) return `The url field must be ${allowed} address.`;
  if (url.username !== '' || url.password !== '') return 'The url field must not contain credentials.';
  return null;
}
