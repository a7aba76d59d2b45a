import type { Answer } from './backend-answer.ts';
import { unavailable } from './failures.ts';

/**
 * The answer as it came, unless it refuses the identity that the gateway signed (401 or 403): keys out of step or clocks
 * apart are our fault, which the client must not take for one of its own key's.
 * @throws AppError 503 when it is the identity that was refused
 */
export function withoutIdentityRefusal(answer: Answer): void | Promise<void> {
  if (answer.status === 401 || answer.status === 403) return refuseIdentityRefusal(answer);
}

async function refuseIdentityRefusal(answer: Answer): Promise<void> {
  if (refusesIdentity(await answer.beginning())) {
    throw unavailable(`the backend refused the gateway's identity with status ${answer.status}`);
  }
}

function refusesIdentity(bytes: Buffer): boolean {
  // The answer to a HEAD has no code to tell by, and backends refuse nobody else like that.
  if (bytes.length === 0) return true;
  try {
    const { code } = JSON.parse(bytes.toString()) as { code?: unknown };
    return code === 'unauthorized' || code === 'forbidden';
  } catch {
    return false;
  }
}
