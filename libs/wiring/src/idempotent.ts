import { createHash } from 'node:crypto';
import { type Answer, answerOnce, type Call, type TenantScope, type Transact } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs a POST's effect at most once for its `Idempotency-Key` (scoped to tenant, method and path), and sends its answer: see
 * `answerOnce`. Without the header it is a plain transaction.
 */
export async function idempotent<Body extends object>(
  context: {
    request: FastifyRequest;
    reply: FastifyReply;
    scope: TenantScope;
    duplicateWaitMs?: number;
  },
  effect: (transaction: Transact<Body>) => Promise<Answer<Body>>,
): Promise<Body> {
  const { request, reply, scope, duplicateWaitMs } = context;
  const call = callOf(request);
  const { status, headers, body } = call
    ? await answerOnce({ scope, call, duplicateWaitMs }, effect)
    : await effect((work) => scope.transaction(work));
  reply.code(status).headers(headers ?? {});
  return body;
}

/** A key that the gateway has not removed. */
const API_KEY = 'api_key';

/**
 * What of the query makes it another request than the same body without it: all of it, in any order. Alone, `if_exists=return` is
 * written as the release before did, whose processes may have stored the answer.
 */
function variantOf(url: string): string {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'));
  query.delete(API_KEY);
  query.sort();
  const text = query.toString();
  return text === 'if_exists=return' ? 'return' : text;
}

function callOf(request: FastifyRequest): Call | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !KEY_FORM.test(key)) {
    throw invalid({
      'Idempotency-Key': ['The Idempotency-Key header must be 1 to 255 visible ASCII characters.'],
    });
  }
  return {
    method: request.method,
    path: request.url.split('?', 1)[0] ?? '',
    key,
    bodyHash: createHash('sha256')
      .update(JSON.stringify(request.body) ?? '')
      .update(variantOf(request.url))
      .digest(),
  };
}
