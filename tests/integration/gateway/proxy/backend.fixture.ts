import { createServer } from 'node:http';

/** A process of a service: says each request as `METHOD path` on a line, and answers it with its id; of `…/slow` it says no end. */
const { HOST, PORT } = process.env;
createServer((request, response) => {
  process.stdout.write(`${request.method} ${request.url}\n`);
  request.resume();
  if (!request.url?.endsWith('/slow')) response.end(String(process.pid));
}).listen(Number(PORT), HOST, () => process.stdout.write('listening\n'));
