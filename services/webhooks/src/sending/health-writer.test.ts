import { createLogger } from '@frontdesk/service';
import type { FailedEndpoint, HealthReport } from '../endpoints/health.repository.ts';
import type { AttemptResult } from '../queue/queue.repository.ts';
import { createHealthWriter } from './health-writer.ts';

const A_RETRY_MS = 1_000;
const logger = createLogger({ name: 'test', level: 'silent' });

function resultOf(endpointId: number, errorClass: 'http_status' | null): AttemptResult {
  return {
    claim: { tenant_id: 1, endpoint_id: endpointId, endpoint_version: 1, consecutive_failures: 0 },
    outcome: { errorClass, httpStatus: errorClass === null ? 200 : 500 },
    verdict: { disablesEndpoint: false },
  } as AttemptResult;
}
const failure = (endpointId: number) => resultOf(endpointId, 'http_status');
const success = (endpointId: number) => resultOf(endpointId, null);

describe('the health of endpoints', () => {
  let record: jest.Mock<Promise<FailedEndpoint[]>, [readonly HealthReport[]]>;
  let disable: jest.Mock<Promise<void>, [FailedEndpoint]>;
  let onFailuresWritten: jest.Mock<void, [readonly AttemptResult[]]>;
  let writer: ReturnType<typeof createHealthWriter>;

  beforeEach(async () => {
    jest.useFakeTimers();
    record = jest.fn(async (_reports: readonly HealthReport[]): Promise<FailedEndpoint[]> => []);
    disable = jest.fn(async (_endpoint: FailedEndpoint) => {});
    onFailuresWritten = jest.fn();
    writer = createHealthWriter({ record, disable, logger, onFailuresWritten });
    await writer.start();
  });
  afterEach(async () => {
    await writer.stop();
    jest.useRealTimers();
  });
  const soon = () => jest.advanceTimersByTimeAsync(0);
  const aRetryLater = () => jest.advanceTimersByTimeAsync(A_RETRY_MS);
  const written = () =>
    record.mock.calls.map(([reports]) =>
      reports.map(({ endpointId, failures }) => `${endpointId}: ${failures}`),
    );

  it('is written once, however often an endpoint can’t be disabled, and that is tried until it is', async () => {
    const gone = { tenant_id: 1, id: 1, version: 1, reason: 'gone' as const };
    record.mockResolvedValueOnce([gone]);
    disable.mockRejectedValueOnce(new Error('deadlock')).mockRejectedValueOnce(new Error('deadlock'));
    writer.note([failure(1), failure(2)]);
    await soon();
    expect(onFailuresWritten.mock.calls.map(([failures]) => failures.length)).toEqual([2]);
    for (let turn = 0; turn < 5; turn += 1) await aRetryLater();

    expect(written()).toEqual([['1: 1', '2: 1']]);
    expect(disable.mock.calls).toEqual([[gone], [gone], [gone]]);
  });

  it('that can’t be written is added to what comes next, and only then frees what it held', async () => {
    record.mockRejectedValueOnce(new Error('gone away'));
    writer.note([failure(1), failure(2)]);
    await soon();
    writer.note([failure(1)]);
    expect(onFailuresWritten).not.toHaveBeenCalled();
    await aRetryLater();

    expect(written()).toEqual([
      ['1: 1', '2: 1'],
      ['1: 2', '2: 1'],
    ]);
    expect(onFailuresWritten.mock.calls.map(([failures]) => failures.length)).toEqual([3]);
  });

  it('adds up the failures on end of separate reports', async () => {
    record.mockRejectedValueOnce(new Error('gone away'));
    writer.note([failure(1), success(1), failure(1)]);
    await soon();
    writer.note([failure(1)]);
    await aRetryLater();
    expect(record.mock.calls.at(-1)?.[0]).toMatchObject([{ successes: 1, failures: 3, failuresOnEnd: 2 }]);
  });

  it('gets a success once a minute, and again after a failure', async () => {
    for (const result of [success(1), success(1), failure(1), success(1)]) {
      writer.note([result]);
      await aRetryLater();
    }
    expect(written()).toEqual([['1: 0'], ['1: 1'], ['1: 0']]);
    await jest.advanceTimersByTimeAsync(60_001);
    writer.note([success(1)]);
    await soon();
    expect(written()).toHaveLength(4);
  });

  it('records a success that comes while the failure before it is being written', async () => {
    writer.note([success(1)]);
    await soon();
    const { promise, resolve } = Promise.withResolvers<FailedEndpoint[]>();
    record.mockReturnValueOnce(promise);
    writer.note([failure(1)]);
    await soon();
    writer.note([success(1)]);
    resolve([]);
    await aRetryLater();
    expect(written()).toEqual([['1: 0'], ['1: 1'], ['1: 0']]);
  });

  it('is written to the last at a stop', async () => {
    await soon();
    const stopped = writer.stop();
    writer.note([failure(1)]);
    await stopped;
    expect(written()).toEqual([['1: 1']]);
  });
});
