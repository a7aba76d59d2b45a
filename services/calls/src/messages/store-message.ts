import { createHash } from 'node:crypto';
import type { TenantScope } from '@frontdesk/database';
import { AppError } from '@frontdesk/service';
import type { RawMessage } from '../providers/call-provider.rules.ts';
import { findSameMessage, insertMessage, type NewMessage } from './call-message.repository.ts';
import { countMessage, type DayQuota } from './call-message-day.repository.ts';

const DAY_SECONDS = 86_400;

/**
 * Stores a message as it came, unless the same message is stored already. A repetition doesn't count against the quotas, and is
 * found before the transaction, so that it doesn't wait for the day's count.
 * @throws AppError `rate_limited` where the tenant's quota of the UTC day is used up; nothing is stored then
 */
export async function storeRawMessage(
  scope: TenantScope,
  sourceId: number,
  { contentType, contentEncoding, body, url, isTest = false }: RawMessage & { isTest?: boolean },
  quota: DayQuota,
): Promise<{ id: number; isNew: boolean }> {
  const coding = contentEncoding ? `${contentType}\n${contentEncoding}\n` : `${contentType}\n`;
  // The same bytes sent as a test and for real are two messages. No header begins with a NUL.
  const head = isTest ? `\0test\n${coding}` : coding;
  const message = {
    source_id: sourceId,
    digest: createHash('sha256').update(head).update(body).digest(),
    content_type: contentType,
    content_encoding: contentEncoding || null,
    url,
    body,
    is_test: isTest,
  };
  for (;;) {
    const same = await findSameMessage(scope, message);
    if (same !== null) return { id: same, isNew: false };
    const added = await addMessage(scope, message, quota);
    if (added !== null) return { id: added, isNew: true };
  }
}

/** The id of the new message; null where the same message came in meanwhile. */
const addMessage = (scope: TenantScope, message: NewMessage, quota: DayQuota) =>
  scope.transaction(async (tx) => {
    const counted = await countMessage(tx, message.body.length, quota);
    if (!counted) throw dayIsFull(quota);
    const id = await insertMessage(tx, message);
    if (id === null) counted.takeBack();
    return id;
  });

function dayIsFull({ call_messages_per_day, call_bytes_per_day }: DayQuota): AppError {
  const secondsLeft = DAY_SECONDS - (Math.floor(Date.now() / 1_000) % DAY_SECONDS);
  return new AppError(
    'rate_limited',
    `Your plan allows ${call_messages_per_day} call messages and ${call_bytes_per_day} bytes of them per UTC day; this one exceeds that.`,
    { headers: { 'retry-after': String(secondsLeft) } },
  );
}
