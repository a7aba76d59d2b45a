import { type DeadLetter, type DeadLetters, ImpossibleRecordError } from '@frontdesk/service';
import type { KafkaMessage } from 'kafkajs';

const MAX_REASON_CHARACTERS = 2_000;

/** A message as a dead letter, with what can be made out of it: of whom it is, and of which type. */
export function toDeadLetter(
  { offset, timestamp, key, value }: KafkaMessage,
  reason: string,
): Omit<DeadLetter, 'group' | 'topic' | 'partition'> {
  const { tenant_id } = parsed(value);
  const [, keysTenant] = /^(\d{1,15}):\d+$/.exec(key?.toString('latin1') ?? '') ?? [];
  return {
    offset,
    timestamp,
    key,
    value,
    tenantId: Number.isSafeInteger(tenant_id)
      ? (tenant_id as number)
      : keysTenant
        ? Number(keysTenant)
        : null,
    type: typeOf(value),
    // A reason names fields, whose names may be anybody's; what is no text for PostgreSQL would hold the partition up for ever.
    reason: reason.slice(0, MAX_REASON_CHARACTERS).replaceAll('\0', ''),
  };
}

/** Its type, where that may be shown: null where it isn't written as types are. */
export function typeOf(value: Buffer | null): string | null {
  const { type } = parsed(value);
  return typeof type === 'string' && /^[a-z_.]{1,64}$/.test(type) ? type : null;
}

function parsed(value: Buffer | null): { tenant_id?: unknown; type?: unknown } {
  try {
    return Object(JSON.parse(value?.toString('utf8') ?? ''));
  } catch {
    return {};
  }
}

/**
 * Runs the work. @returns why its data can never be applied, without quoting the data; null if the work succeeded
 * @throws every other error of the work: a repetition may succeed
 */
export async function refusalBy(
  work: () => Promise<void>,
  deadLetters: Pick<DeadLetters, 'refusal'>,
): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    const reason = error instanceof ImpossibleRecordError ? error.message : deadLetters.refusal(error);
    if (reason === null) throw error;
    return reason;
  }
}
