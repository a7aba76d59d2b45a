import { loadConfig } from '@frontdesk/service';
import { configSchema } from './config.ts';

const required = {
  PORT: '4040',
  INTERNAL_PORT: '4041',
  IDENTITY_PUBLIC_KEYS_FILE: 'public.json',
  SECRET_KEYS_FILE: 'secrets.json',
  DATABASE_URL: 'postgres://localhost/frontdesk_webhooks',
  KAFKA_BROKERS: 'localhost:9092',
};

describe('the configuration', () => {
  it('makes three attempts of at most ten seconds to public https endpoints, by default', () => {
    expect(loadConfig(configSchema, required)).toMatchObject({
      RETRY_DELAYS_SECONDS: [30, 300],
      DELIVERY_TIMEOUT_MS: 10_000,
      ALLOW_HTTP_ENDPOINTS: false,
      ALLOW_PRIVATE_ENDPOINTS: false,
      ENDPOINT_PORTS: [
        { from: 80, to: 80 },
        { from: 443, to: 443 },
        { from: 1_024, to: 65_535 },
      ],
      DNS_SERVERS: [],
    });
  });

  it('reads waits in seconds and fractions of seconds', () => {
    const config = loadConfig(configSchema, { ...required, RETRY_DELAYS_SECONDS: '0.1,5' });
    expect(config.RETRY_DELAYS_SECONDS).toEqual([0.1, 5]);
  });

  it.each(['', '30;300', '-1', '30,'])('refuses the waits "%s"', (RETRY_DELAYS_SECONDS) => {
    expect(() => loadConfig(configSchema, { ...required, RETRY_DELAYS_SECONDS })).toThrow(
      'RETRY_DELAYS_SECONDS',
    );
  });

  it('reads name servers with and without a port', () => {
    const config = loadConfig(configSchema, { ...required, DNS_SERVERS: '10.0.0.2, [fd00::53]:5353' });
    expect(config.DNS_SERVERS).toEqual(['10.0.0.2', '[fd00::53]:5353']);
  });

  it.each([
    ['DNS_SERVERS', 'dns.example.com'],
    ['DNS_SERVERS', '10.0.0.2,'],
    ['ENDPOINT_PORTS', '443-80'],
    ['ENDPOINT_PORTS', ''],
  ])('refuses %s="%s"', (name, value) => {
    expect(() => loadConfig(configSchema, { ...required, [name]: value })).toThrow(name);
  });
});
