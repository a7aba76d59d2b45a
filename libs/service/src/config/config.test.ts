import { z } from 'zod';
import { ConfigError, databaseEnv, httpBase, httpUrl, kafkaEnv, loadConfig, serviceEnv } from './config.ts';

const schema = z.object({ ...serviceEnv, ...databaseEnv, ...kafkaEnv });

const complete = {
  INTERNAL_PORT: '4001',
  IDENTITY_PUBLIC_KEYS_FILE: 'public.json',
  DATABASE_URL: 'postgres://user:secret@localhost/db',
  KAFKA_BROKERS: 'a:9092, b:9092',
};

describe('configuration', () => {
  it('comes from the environment, with defaults', () => {
    expect(loadConfig(schema, complete)).toMatchObject({
      HOST: '127.0.0.1',
      INTERNAL_PORT: 4001,
      LOG_LEVEL: 'info',
      DATABASE_POOL_MAX: 4,
      KAFKA_BROKERS: ['a:9092', 'b:9092'],
    });
  });

  it('names every fault at once and repeats no value', () => {
    const faulty = { ...complete, INTERNAL_PORT: 'secret-ish', DATABASE_URL: undefined };
    expect(() => loadConfig(schema, faulty)).toThrow(ConfigError);
    expect(() => loadConfig(schema, faulty)).toThrow(/INTERNAL_PORT: .*\n.*DATABASE_URL is missing/s);
    expect(() => loadConfig(schema, faulty)).not.toThrow(/secret-ish/);
  });

  it.each(['localhost:4001', 'ftp://gateway:4001'])('refuses %s as the address of a server', (url) => {
    expect(() => loadConfig(z.object({ CRM_URL: httpUrl }), { CRM_URL: url })).toThrow(
      'CRM_URL: must be an http or https address',
    );
  });

  it('takes an address to which paths are added with or without a slash at its end', () => {
    const base = z.object({ PUBLIC_URL: httpBase });
    for (const url of ['https://desk.example.com/', 'https://desk.example.com'])
      expect(loadConfig(base, { PUBLIC_URL: url })).toEqual({ PUBLIC_URL: 'https://desk.example.com' });
  });
});
