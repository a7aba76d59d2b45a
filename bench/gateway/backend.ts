import { createServer } from 'node:http';
import { listenBare } from '../support/bare-process.ts';

const headersOf = (text: string) => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(text),
});
/** What both proxies forward to: the same kilobyte of JSON for everybody. */
const answer = JSON.stringify({ success: true, data: 'x'.repeat(1_000) });
const headers = headersOf(answer);
/** Or the slots of two weeks. */
const slots = JSON.stringify({ success: true, data: Array.from({ length: 170 }, (_, n) => slotOf(n)) });
const headersOfSlots = headersOf(slots);
await listenBare(
  createServer(({ url }, response) => {
    if (url?.includes('/slots')) response.writeHead(200, headersOfSlots).end(slots);
    else response.writeHead(200, headers).end(answer);
  }),
);

function slotOf(n: number) {
  const at = new Date(Date.UTC(2027, 0, 4 + Math.floor(n / 17), 9, (n % 17) * 30)).toISOString();
  const end = new Date(Date.parse(at) + 2_700_000).toISOString();
  return {
    date: at.slice(0, 10),
    time: at.slice(11, 16),
    end_time: end.slice(11, 16),
    starts_at: `${at.slice(0, 19)}+01:00`,
    ends_at: `${end.slice(0, 19)}+01:00`,
    staff_id: 1 + (n % 3),
    staff_ids: [1, 2, 3].slice(n % 3),
  };
}
