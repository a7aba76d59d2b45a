import { createServer, type Server } from 'node:http';

/**
 * A bare process that `startService` can start: listens where HOST and PORT say, and reports at INTERNAL_PORT/metrics what
 * it has used of the CPU, as a service does.
 */
export async function listenBare(server: Server): Promise<void> {
  const { HOST = '127.0.0.1', PORT, INTERNAL_PORT } = process.env;
  const internal = createServer((_request, response) => {
    const { user, system } = process.cpuUsage();
    response.end(`process_cpu_seconds_total ${(user + system) / 1e6}\n`);
  });
  process.once('SIGTERM', () => process.exit(0));
  await new Promise<void>((resolve) => server.listen(Number(PORT), HOST, resolve));
  await new Promise<void>((resolve) => internal.listen(Number(INTERNAL_PORT), HOST, resolve));
}
