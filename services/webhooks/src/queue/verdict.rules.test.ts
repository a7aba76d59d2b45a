import type { AttemptOutcome } from '../receivers/attempt.rules.ts';
import { createRetrySchedule } from './retry.rules.ts';
import { judge } from './verdict.rules.ts';

const schedule = createRetrySchedule([30, 300], () => 0.5);
const now = Date.parse('2026-03-02T10:00:00Z');

const outcome = (fields: Partial<AttemptOutcome>): AttemptOutcome => ({
  startedAt: new Date(now),
  durationMs: 5,
  httpStatus: null,
  errorClass: null,
  responseBody: null,
  requestHeaders: {},
  responseHeaders: null,
  ...fields,
});

describe('judge', () => {
  it('delivers on success', () => {
    expect(judge(outcome({ httpStatus: 204 }), 3, schedule, now)).toEqual({
      status: 'delivered',
      delayMs: null,
      disablesEndpoint: false,
    });
  });

  it('keeps a failed delivery pending until the last attempt', () => {
    const failure = outcome({ httpStatus: 500, errorClass: 'http_status' });
    expect(judge(failure, 1, schedule, now)).toMatchObject({ status: 'pending', delayMs: 30_000 });
    expect(judge(failure, 2, schedule, now)).toMatchObject({ status: 'pending', delayMs: 300_000 });
    expect(judge(failure, 3, schedule, now)).toMatchObject({ status: 'failed', delayMs: null });
  });

  it.each([429, 503])('heeds Retry-After on %i', (httpStatus) => {
    const busy = outcome({ httpStatus, errorClass: 'http_status', responseHeaders: { 'retry-after': '90' } });
    expect(judge(busy, 1, schedule, now)).toMatchObject({ status: 'pending', delayMs: 90_000 });
  });

  it('ignores Retry-After on other statuses', () => {
    const broken = outcome({
      httpStatus: 500,
      errorClass: 'http_status',
      responseHeaders: { 'retry-after': '90' },
    });
    expect(judge(broken, 1, schedule, now)).toMatchObject({ delayMs: 30_000 });
  });

  it('gives up at once and disables the endpoint on 410', () => {
    const gone = outcome({ httpStatus: 410, errorClass: 'http_status' });
    expect(judge(gone, 1, schedule, now)).toEqual({
      status: 'failed',
      delayMs: null,
      disablesEndpoint: true,
    });
  });
});
