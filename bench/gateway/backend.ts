import { createServer } from 'node:http';
import { listenBare } from '../support/bare-process.ts';

/** What both proxies forward to: the same kilobyte of JSON for everybody. */
const answer = JSON.stringify({ success: true, data: 'x'.repeat(1_000) });
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': answer.length };
await listenBare(
  createServer((_request, response) => {
    response.writeHead(200, headers).end(answer);
  }),
);
