import { loadConfig } from '@frontdesk/service';
import { configSchema } from './config.ts';

const required = {
  INTERNAL_PORT: '4041',
  IDENTITY_PUBLIC_KEYS_FILE: 'public.json',
  IDENTITY_PRIVATE_KEY_FILE: 'webhooks.json',
  DATABASE_URL: 'postgres://localhost/frontdesk_webhooks',
  KAFKA_BROKERS: 'localhost:9092',
};

describe('the configuration', () => {
  it('makes three attempts of at most ten seconds to https endpoints, unless told otherwise', () => {
    expect(loadConfig(configSchema, required)).toMatchObject({
      RETRY_DELAYS_SECONDS: [30, 300],
      DELIVERY_TIMEOUT_MS: 10_000,
      ALLOW_HTTP_ENDPOINTS: false,
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
});
