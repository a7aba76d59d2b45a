import { sendAtRate } from '../support/load.ts';
import type { ReceiverProcess } from './receiver-process.ts';

const RECEIVED_WITHIN_MS = 60_000;

/** What an event is recognised by at the receiver, and when its time began. */
export interface Begun {
  recordId: number;
  beganMs: number;
}

/**
 * Sets events off at a steady rate, and waits until all have come in.
 * @param begin sets off the n-th event
 * @returns milliseconds from each one's beginning to its receipt, sorted
 */
export async function receivedAfter(
  receiver: ReceiverProcess,
  { perSecond, count }: { perSecond: number; count: number },
  begin: (n: number) => Promise<Begun>,
): Promise<number[]> {
  const began = new Map<number, number>();
  await receiver.reset({ keepsArrivals: true });
  await sendAtRate(perSecond, count, async (n) => {
    const { recordId, beganMs } = await begin(n);
    began.set(recordId, beganMs);
  });
  await receiver.until(count, RECEIVED_WITHIN_MS);
  return (await receiver.arrivals())
    .map(({ recordId, atMs }) => atMs - (began.get(recordId) ?? Number.NaN))
    .sort((a, b) => a - b);
}
