import { createHmac } from 'node:crypto';
import { SECRET_PREFIX, SIGNATURE_HEADERS } from '@frontdesk/contracts';
import { Pool } from 'undici';
import { answerQuestions } from './helper-process.ts';
import { sendAll } from './load.ts';

export interface PostJob {
  url: string;
  secret: string;
  /** The `webhook-id` of all of them. */
  id: string;
  body: string;
  count: number;
  concurrency: number;
}

/**
 * The unit of the webhooks' benchmark: sign the same body by both schemes, POST it through an undici `Pool`, read the
 * answer. No queue, no store, no log, no deadline.
 */
answerQuestions(async ({ url, secret, id, body, count, concurrency }: PostJob) => {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: concurrency });
  const bytes = Buffer.from(body);
  const standardKey = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  await sendAll(count, concurrency, async () => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const standard = createHmac('sha256', standardKey).update(`${id}.${timestamp}.`).update(bytes);
    const answer = await pool.request({
      method: 'POST',
      path: pathname,
      headers: {
        'content-type': 'application/json',
        [SIGNATURE_HEADERS.service]: `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`,
        [SIGNATURE_HEADERS.id]: id,
        [SIGNATURE_HEADERS.timestamp]: timestamp,
        [SIGNATURE_HEADERS.signature]: `v1,${standard.digest('base64')}`,
      },
      body: bytes,
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`The receiver answered ${answer.statusCode}.`);
  });
  await pool.close();
});
