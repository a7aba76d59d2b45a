import { freePorts } from '@frontdesk/local-stack';
import { explain } from '../progress/explain.ts';
import { reachGivenRedis, withGivenEngine } from './given-engine.ts';

const refused = new Error('connect ECONNREFUSED 127.0.0.1:5432');
const failing = (env: NodeJS.ProcessEnv, error: Error = refused) =>
  withGivenEngine(env, 'DATABASE_URL', () => Promise.reject(error)).catch(explain);

describe('an engine that can’t be used', () => {
  it('where a variable names it: the fault names the variable, and the cure', async () => {
    const [fault, cure] = (await failing({ DATABASE_URL: 'postgres://elsewhere' })).split('\n');
    expect(fault).toBe('DATABASE_URL: connect ECONNREFUSED 127.0.0.1:5432');
    expect(cure).toContain('leave DATABASE_URL out');
  });

  it('where its name has several addresses: the fault shows what the first one said', async () => {
    const error = new AggregateError([refused, new Error('connect ECONNREFUSED ::1:5432')]);
    expect(await failing({ DATABASE_URL: 'postgres://localhost' }, error)).toContain(refused.message);
  });

  it.each([
    ['could not extend file: No space left on device', 'DATABASE_URL: could not extend', 'free some space'],
    ['KAFKA_USERNAME: not authorized', 'KAFKA_USERNAME: not', undefined],
  ])(
    'where it says “%s”: the fault and the cure are those of what it says',
    async (message, begins, cure) => {
      const said = await failing({ DATABASE_URL: 'postgres://elsewhere' }, new Error(message));
      expect(said.startsWith(begins)).toBe(true);
      expect(said.split('\n')[1] ?? '').toContain(cure ?? '');
      expect(said).not.toContain('leave DATABASE_URL out');
    },
  );

  it.each([
    ['nothing listens', (port: number) => `redis://127.0.0.1:${port}`, /^REDIS_URL: connect ECONNREFUSED/],
    ['it is no URL', () => 'elsewhere', /^REDIS_URL: Invalid URL/],
  ])('where it is a Redis and %s: the start says so, and no service waits', async (_case, urlOf, fault) => {
    const [port = 0] = await freePorts(1);
    const env = { REDIS_URL: urlOf(port) };
    await expect(reachGivenRedis(env)).rejects.toThrow(fault);
  });

  it('where it is our own: the fault is as it was', async () => {
    await expect(withGivenEngine({}, 'DATABASE_URL', () => Promise.reject(refused))).rejects.toBe(refused);
  });
});
