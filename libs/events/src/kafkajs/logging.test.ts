import { createLogger } from '@frontdesk/service';
import { logLevel } from 'kafkajs';
import { kafkaLogCreator } from './logging.ts';

function levelOf(namespace: string, message: string, error?: string): string | undefined {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const lines: string[] = [];
  const spy = Object.assign(Object.create(logger), {
    debug: () => lines.push('debug'),
    warn: () => lines.push('warn'),
  });
  kafkaLogCreator(spy)(logLevel.WARN)({
    namespace,
    level: logLevel.ERROR,
    label: 'ERROR',
    log: { timestamp: '', message, ...(error ? { error } : {}) },
  });
  return lines[0];
}

describe('lines of kafkajs', () => {
  it('are warnings', () => {
    expect(levelOf('Producer', 'Failed to send messages')).toBe('warn');
  });

  it('are kept low while a broker starts or a group changes', () => {
    expect(levelOf('Runner', 'Response', 'The coordinator is loading and hence …')).toBe('debug');
    expect(levelOf('Runner', 'The group is rebalancing, re-joining')).toBe('debug');
    expect(levelOf('Connection', 'Connection error: connect ECONNREFUSED')).toBe('debug');
  });
});
