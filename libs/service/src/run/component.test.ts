import { type Component, startComponents } from './component.ts';
import { createLogger } from './logging.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

function recorded(log: string[], name: string, overrides: Partial<Component> = {}): Component {
  return {
    name,
    start: async () => void log.push(`start ${name}`),
    stop: async () => void log.push(`stop ${name}`),
    ...overrides,
  };
}

describe('components', () => {
  it('start in order and stop in reverse, every one of them', async () => {
    const log: string[] = [];
    const failing = recorded(log, 'b', {
      stop: async () => {
        log.push('stop b');
        throw new Error('stuck');
      },
    });
    const running = await startComponents([recorded(log, 'a'), failing, recorded(log, 'c')], logger);
    await running.stop();
    expect(log).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
  });

  it('that are up are stopped again when one fails to start', async () => {
    const log: string[] = [];
    const failing = recorded(log, 'b', { start: () => Promise.reject(new Error('port in use')) });
    await expect(startComponents([recorded(log, 'a'), failing, recorded(log, 'c')], logger)).rejects.toThrow(
      'port in use',
    );
    expect(log).toEqual(['start a', 'stop b', 'stop a']);
  });
});
