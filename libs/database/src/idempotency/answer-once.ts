import { setTimeout as delay } from 'node:timers/promises';
import {
  ERROR_STATUS,
  type ErrorCode,
  type FieldErrors,
  faultsOfErrors,
  IDEMPOTENCY_RETENTION_HOURS,
  reasonsOfFaults,
} from '@frontdesk/contracts';
import { AppError, invalid } from '@frontdesk/service';
import type { TenantExecutor } from '../scope/executor.ts';
import type { TenantScope, TenantTransaction } from '../scope/scopes.ts';
import { tenantSql } from '../scope/statements.ts';

/** What a POST answers: the envelope as an object, so that it can be stored and sent again. */
export interface Answer<Body extends object = object> {
  status: number;
  body: Body;
  headers?: Record<string, string>;
}

export type Transact<Body extends object> = (
  work: (tx: TenantTransaction) => Promise<Answer<Body>>,
) => Promise<Answer<Body>>;

interface StoredAnswer {
  body_hash: Buffer;
  status: number;
  headers: Record<string, string>;
  body: object;
}

/** A POST that its caller has given a key; of a tenant, the same method, path and key are the same POST. */
export interface Call {
  method: string;
  path: string;
  key: string;
  bodyHash: Buffer;
}

const DUPLICATE_WAIT_MS = 5_000;
const DUPLICATE_POLL_MS = 50;
const REPLAYED = { 'idempotent-replayed': 'true' };
/** Refusals that are part of the effect's outcome, hence answered again; a 5xx never is, nor what passes by itself. */
const REPLAYED_FAILURES = new Set<number>([409, 422]);

type CallArgs = { method: string; path: string; key: string };

const findAnswer = tenantSql<StoredAnswer, CallArgs>(
  'idempotency_find',
  `select body_hash, status, headers, body from idempotency_keys
   where tenant_id = $tenantId and method = $method and path = $path and key = $key
     and created_at > now() - interval '${IDEMPOTENCY_RETENTION_HOURS} hours'`,
);

const storeAnswer = tenantSql<never, Call & { status: number; headers: string; body: string }>(
  'idempotency_store',
  `insert into idempotency_keys (tenant_id, method, path, key, body_hash, status, headers, body)
   values ($tenantId, $method, $path, $key, $bodyHash, $status, $headers, $body)
   on conflict (tenant_id, method, path, key) do update
   set body_hash = excluded.body_hash, status = excluded.status, headers = excluded.headers, body = excluded.body,
       created_at = now()`,
);

// In a transaction the lock is held until its end. Outside of one it is released at once: then it only shows whether
// a duplicate request is running.
const tryLock = tenantSql<{ locked: boolean }, CallArgs>(
  'idempotency_lock',
  `select pg_try_advisory_xact_lock(
     hashtextextended(concat_ws(' ', 'tenant_id', $tenantId::bigint, $method::text, $path::text, $key::text), 0)) as locked`,
);

const keyOf = ({ method, path, key }: Call): CallArgs => ({ method, path, key });

class DuplicateInProgress extends Error {}

class AlreadyAnswered extends Error {
  readonly stored: StoredAnswer;
  constructor(stored: StoredAnswer) {
    super('already answered');
    this.stored = stored;
  }
}

/**
 * Runs the effect of a POST with a key at most once. The answer's row is written in the effect's own transaction, so there is
 * never an effect without its answer or the other way round. Waiting for a duplicate request holds no connection.
 *
 * @param effect does slow look-ups outside the `transaction` that it is given, which it may call again after a failure, never
 * after a success. A repeated answer needs these look-ups, too: it is found in the transaction
 * @param context.duplicateWaitMs how long to wait for a duplicate request
 * @throws AppError `request_in_progress` when a duplicate request is still at work after that; `validation_failed` when the key was
 * used with another body or query; the refusal that was answered before.
 */
export async function answerOnce<Body extends object>(
  context: { scope: TenantScope; call: Call; duplicateWaitMs?: number | undefined },
  effect: (transaction: Transact<Body>) => Promise<Answer<Body>>,
): Promise<Answer<Body>> {
  const { scope, call, duplicateWaitMs = DUPLICATE_WAIT_MS } = context;
  const args = keyOf(call);
  const deadline = Date.now() + duplicateWaitMs;
  for (;;) {
    try {
      const answer = await effect((work) => answerOrRefusal(scope, call, work));
      if (answer.status >= 400) throw failureOf(answer);
      return answer;
    } catch (error) {
      if (error instanceof AlreadyAnswered) return replay<Body>(error.stored, call);
      if (!(error instanceof DuplicateInProgress)) throw error;
    }
    do {
      if (Date.now() > deadline) {
        throw new AppError('request_in_progress', 'A request with this Idempotency-Key is still at work.', {
          headers: { 'retry-after': '1' },
        });
      }
      await delay(DUPLICATE_POLL_MS);
    } while (!(await scope.one(tryLock, args)).locked);
  }
}

/**
 * A refusal first rolls back its transaction, which releases the lock; a second transaction then stores the answer. A process that
 * dies in between leaves no trace. A duplicate request that comes in between does the work itself. The answer that is stored first is
 * replayed to both.
 */
async function answerOrRefusal<Body extends object>(
  scope: TenantScope,
  call: Call,
  work: (tx: TenantTransaction) => Promise<Answer<Body>>,
): Promise<Answer<Body>> {
  try {
    return await answerUnderLock(scope, call, work);
  } catch (error) {
    const refusal = refusalAsAnswer(error);
    // A refusal carries another body: `answerOnce` throws it before anyone reads it as the route's own.
    return answerUnderLock(scope, call, async () => refusal as Answer<Body>);
  }
}

async function answerUnderLock<Body extends object>(
  scope: TenantScope,
  call: Call,
  work: (tx: TenantTransaction) => Promise<Answer<Body>>,
): Promise<Answer<Body>> {
  const args = keyOf(call);
  const lookUp = (executor: TenantExecutor) =>
    Promise.all([executor.one(tryLock, args), executor.maybeOne(findAnswer, args)]);
  return scope.transaction(async (tx, [{ locked }, stored]) => {
    if (!locked) throw new DuplicateInProgress();
    if (stored) throw new AlreadyAnswered(stored);
    const answer = await work(tx);
    const { status, headers = {}, body } = answer;
    tx.send(storeAnswer, { ...call, status, headers: JSON.stringify(headers), body: JSON.stringify(body) });
    return answer;
  }, lookUp);
}

interface StoredFailure {
  code: ErrorCode;
  message: string;
  errors?: FieldErrors;
  /** Beside `errors`, which the last release reads. */
  reasons?: ReturnType<typeof reasonsOfFaults>;
  data?: unknown;
}

function refusalAsAnswer(error: unknown): Answer {
  const isReplayed = error instanceof AppError && REPLAYED_FAILURES.has(error.status) && !error.isPassing;
  if (!isReplayed) throw error;
  const { code, message, errors, faults, data, headers } = error;
  const reasons = faults && reasonsOfFaults(faults);
  return { status: ERROR_STATUS[code], headers, body: { code, message, errors, reasons, data } };
}

function failureOf(answer: Answer): AppError {
  const { code, message, errors, reasons, data } = answer.body as StoredFailure;
  return new AppError(code, message, {
    ...(errors ? { faults: faultsOfErrors(errors, reasons) } : {}),
    data,
    ...(answer.headers ? { headers: answer.headers } : {}),
  });
}

/** What is stored under a call was answered by the same route, hence has the same shape. */
function replay<Body extends object>(stored: StoredAnswer, call: Call): Answer<Body> {
  if (!stored.body_hash.equals(call.bodyHash)) {
    throw invalid({
      'Idempotency-Key': ['This Idempotency-Key was used with another request body or query.'],
    });
  }
  const { status, body, headers } = stored;
  const answer = { status, body: body as Body, headers: { ...headers, ...REPLAYED } };
  if (status >= 400) throw failureOf(answer);
  return answer;
}
