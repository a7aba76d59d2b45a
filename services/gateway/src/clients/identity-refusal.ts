import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/**
 * The answer as it came, unless it refuses the identity that the gateway signed (401 or 403): keys out of step or clocks
 * apart are our fault, which the client must not take for one of its own key's.
 * @throws Error when it is the identity that was refused
 */
export async function withoutIdentityRefusal(
  answer: Dispatcher.ResponseData,
): Promise<Dispatcher.ResponseData> {
  if (answer.statusCode !== 401 && answer.statusCode !== 403) return answer;
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  if (refusesIdentity(bytes)) {
    throw new Error(`the backend refused the gateway's identity with status ${answer.statusCode}`);
  }
  const body = Readable.from([bytes], { objectMode: false }) as Dispatcher.ResponseData['body'];
  return { ...answer, body };
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
