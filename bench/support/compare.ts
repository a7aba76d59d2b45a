import { Pool } from 'undici';
import { type Call, quantile, sendAll } from './load.ts';
import { type ServiceProcess, startService } from './service-process.ts';

const ROUNDS = 5;
const CONNECTIONS = 16;

/** What is measured: so many requests of one kind. */
export interface Subject {
  name: string;
  requests: number;
  concurrency: number;
  call: Call;
}

/**
 * Prints the CPU time that a request costs the service, beside that of a bare server with an answer as long, in turns.
 * The best of the rounds counts: what is above it is the machine's other work.
 */
export async function compareWithBare(
  { name, requests, concurrency, call }: Subject,
  service: ServiceProcess,
  databaseUrl: string,
): Promise<void> {
  const answerLength = await call(0);
  const bare = await startService('bench/support/bare-server.ts', {
    DATABASE_URL: databaseUrl,
    BODY_BYTES: String(answerLength),
  });
  const pool = new Pool(bare.url, { connections: CONNECTIONS });
  const bareCall: Call = async () => {
    const { body } = await pool.request({ method: 'GET', path: '/' });
    await body.dump();
    return answerLength;
  };
  const cpuMsOf = async (process: ServiceProcess, send: Call) => {
    const before = await process.cpuSeconds();
    await sendAll(requests, concurrency, send);
    return ((await process.cpuSeconds()) - before) * (1_000 / requests);
  };
  await cpuMsOf(service, call);
  const rounds: { service: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ service: await cpuMsOf(service, call), bare: await cpuMsOf(bare, bareCall) });
  await pool.close();
  await bare.stop();

  const best = Math.min(...rounds.map((round) => round.service));
  const ratios = rounds.map((round) => round.service / round.bare).sort((a, b) => a - b);
  const [median, least, most] = [0.5, 0, 1].map((share) => quantile(ratios, share).toFixed(1));
  console.log(
    `${name.padEnd(28)} ${best.toFixed(2).padStart(6)} ms of CPU (${Math.round(1_000 / best)}/s per core)` +
      `, ${median} bare requests (${least} to ${most})`,
  );
}
