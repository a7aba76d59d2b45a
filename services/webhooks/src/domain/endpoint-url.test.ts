import { faultOfEndpointUrl } from './endpoint-url.ts';

describe('faultOfEndpointUrl', () => {
  it.each(['https://example.com/hook', 'https://example.com:8443/a?b=c', 'HTTPS://EXAMPLE.COM'])(
    'accepts %s',
    (url) => {
      expect(faultOfEndpointUrl(url, { allowHttp: false })).toBeNull();
    },
  );

  it('accepts http only where the operator allows it', () => {
    expect(faultOfEndpointUrl('http://example.com', { allowHttp: false })).toBe(
      'The url field must be an https address.',
    );
    expect(faultOfEndpointUrl('http://example.com', { allowHttp: true })).toBeNull();
  });

  it.each(['ftp://example.com', 'example.com', '/hook', 'javascript:alert(1)', 'https://', 'not a url'])(
    'refuses %s',
    (url) => {
      expect(faultOfEndpointUrl(url, { allowHttp: true })).toBe(
        'The url field must be an http or https address.',
      );
    },
  );

  it('refuses credentials, which would be shown in the settings and sent in the clear', () => {
    expect(faultOfEndpointUrl('https://user:pass@example.com', { allowHttp: false })).toMatch('credentials');
    expect(faultOfEndpointUrl('https://user@example.com', { allowHttp: false })).toMatch('credentials');
  });

  it('asks for a missing url', () => {
    expect(faultOfEndpointUrl(' ', { allowHttp: false })).toBe('The url field is required.');
  });
});
