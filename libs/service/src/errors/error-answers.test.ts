import { createApp } from '../http/app.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createLogger } from '../run/logging.ts';

/** Ways in which answering a failure fails. */
const FAILING = {
  'at once': () => {
    throw new TypeError('secret of the inside');
  },
  'by a rejection': async () => {
    throw new TypeError('secret of the inside');
  },
};

it.each(Object.entries(FAILING))(
  'an answer to a failure that fails itself, %s: the envelope, and never an error of the framework’s own',
  async (_way, answerError) => {
    const logger = createLogger({ name: 'test', level: 'silent' });
    const app = createApp({ logger, metrics: createMetrics(), answerError });
    app.get('/broken', async () => {
      throw new Error('secret of the inside');
    });
    // One whose handler failed, one without a route, and one that is no address at all.
    for (const url of ['/broken', '/nowhere', '/%']) {
      const answer = await app.inject(url);
      expect([url, answer.statusCode, answer.json()]).toEqual([
        url,
        500,
        expect.objectContaining({ success: false, code: 'internal_error' }),
      ]);
      expect(answer.body).not.toContain('secret of the inside');
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
    await app.close();
  },
);
