import { kafkaLogins } from './kafka-login.ts';

/** A Kafka that knows one password, and the services' file. */
function replacement(inForce: string, ...inFile: [string, ...string[]]) {
  const state = { inForce, inFile };
  const next = kafkaLogins({
    username: 'crm',
    passwords: () => state.inFile,
    variable: 'ENGINE_PASSWORDS_FILE',
  });
  const client = () => {
    const { sasl, failed } = next();
    /** As kafkajs does: it reads the password, and what a broker answers comes later. */
    return async () => {
      const isKnown = sasl.password === state.inForce;
      await Promise.resolve();
      return isKnown ? 'in' : outcome(() => failed(new Error('failed: invalid credentials')));
    };
  };
  return { state, client };
}

function outcome(fail: () => never): string {
  try {
    return fail();
  } catch (error) {
    return (error as Error).name === 'EngineAccessError' ? 'ended' : 'tried again';
  }
}

describe('logins while a password is being replaced', () => {
  it('of several clients at once all bring the earlier one, once the new one was refused', async () => {
    const { state, client } = replacement('old', 'new', 'old');
    const logIns = Array.from({ length: 6 }, client);
    const all = async () => [...new Set(await Promise.all(logIns.map((logIn) => logIn())))];
    expect(await all()).toEqual(['tried again']);
    expect(await all()).toEqual(['in']);
    expect(await client()()).toBe('in');
    state.inForce = 'new';
    expect(await all()).toEqual(['tried again']);
    expect(await all()).toEqual(['in']);
    state.inFile = ['new'];
    expect(await all()).toEqual(['in']);
  });

  it('go back to the new one where Kafka changes over between the two', async () => {
    const { state, client } = replacement('old', 'new', 'old');
    const logIn = client();
    expect(await logIn()).toBe('tried again');
    state.inForce = 'new';
    expect(await logIn()).toBe('tried again');
    expect(await logIn()).toBe('in');
  });

  it('end where Kafka knows neither', async () => {
    const logIn = replacement('another', 'new', 'old').client();
    expect([await logIn(), await logIn(), await logIn()]).toEqual(['tried again', 'tried again', 'ended']);
    expect(await replacement('another', 'only').client()()).toBe('ended');
  });

  it('are tried again after any other fault', () => {
    const { failed } = kafkaLogins({ username: 'crm', passwords: () => ['only'], variable: 'X' })();
    expect(outcome(() => failed(new Error('Closed connection')))).toBe('tried again');
  });
});
