import { clientText, deviceText } from './client.rules.ts';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/143.0.0.0`, 'Microsoft Edge on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['Nothing (Windows NT 10.0)', 'Windows'],
])('%s is %s', (userAgent, text) => {
  expect(deviceText(userAgent)).toBe(text);
});

it.each([
  '',
  'curl/8.5.0',
  'node',
  '<script>alert(1)</script>/1 (x',
  'Call 0800 123 at once/1 (x',
  `${'a'.repeat(50_000)}/1 (b`,
  '/ '.repeat(25_000),
  '\u0000\u202e',
])('%j is an unknown device', (userAgent) => {
  expect(deviceText(userAgent)).toBe('Unknown device');
});

it.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
])('%s is kept as its network alone', (address, network) => {
  expect(clientText({ address, userAgent: '' })).toEqual({ device: 'Unknown device', network });
});
