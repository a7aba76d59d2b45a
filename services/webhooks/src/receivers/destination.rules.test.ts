import { textOfFault } from '@frontdesk/contracts';
import { type DestinationRules, faultOfEndpointUrl as faultOfUrl } from './destination.rules.ts';
import { parsePortRanges } from './ports.rules.ts';

const rules = { allowPrivate: false, ports: parsePortRanges('80,443,1024-65535') ?? [] };
const faultOf = (url: string, by: DestinationRules) => {
  const fault = faultOfUrl(url, by);
  return fault === null ? null : textOfFault(fault);
};
const faultOfEndpointUrl = (url: string, { allowHttp }: { allowHttp: boolean }) =>
  faultOf(url, { ...rules, allowHttp });

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

  it.each([
    ...['https://127.1', 'https://2130706433', 'https://0x7f.1', 'https://0177.0.0.1', 'https://127.0.0.1.'],
    ...['https://①②⑦.0.0.1', 'https://[::1]', 'https://[::ffff:10.0.0.1]', 'https://169.254.169.254'],
  ])('refuses %s, however it is written', (url) => {
    expect(faultOfEndpointUrl(url, { allowHttp: false })).toBe(
      'The url field must lead to a public address.',
    );
  });

  it.each([
    ...['localhost', 'LOCALHOST.', 'a.localhost', 'redis', 'printer.local', 'metadata.google.internal'],
    ...[
      'router.home.arpa',
      'nas.lan',
      'wiki.corp',
      'a..example.com',
      '.example.com',
      `${'a'.repeat(64)}.com`,
    ],
    ...[`${'a.'.repeat(127)}com`, 'example.com..', 'a$b.example.com'],
  ])('refuses the name %s, which nobody outside knows', (name) => {
    expect(faultOfEndpointUrl(`https://${name}`, { allowHttp: false })).toBe(
      'The url field must name a host of the public internet.',
    );
  });

  it.each([
    ...[
      'https://8.8.8.8',
      'https://[2606:4700:4700::1111]/hook',
      'https://example.com.',
      'https://münchen.de',
    ],
    ...['https://local.example.com', 'https://my_app.example.com', 'https://localhost.example.com'],
  ])('accepts %s', (url) => {
    expect(faultOfEndpointUrl(url, { allowHttp: false })).toBeNull();
  });

  it('names the ports that are allowed', () => {
    expect(faultOfEndpointUrl('https://example.com:22', { allowHttp: false })).toBe(
      'The url field must use one of the ports 80, 443, 1024-65535.',
    );
  });

  it('accepts any host where the operator allows private ones, but no other port for that', () => {
    const open = { ...rules, allowHttp: true, allowPrivate: true };
    for (const host of ['127.0.0.1', '[::1]', 'localhost', 'receiver']) {
      expect(faultOf(`http://${host}:4999/`, open)).toBeNull();
    }
    expect(faultOf('http://localhost:22/', open)).toMatch('ports');
  });
});
