import { type ChildProcess, spawn } from 'node:child_process';
import { eventually, freePort } from '../../support/index.ts';
import type { Gateway, GatewayWorld } from './gateway-world.ts';

const ENTRY = 'services/gateway/src/main.ts';

export interface GatewayProcess {
  child: ChildProcess;
  gateway: Gateway;
  /** All that it has logged. */
  output(): string;
}

/** The gateway as it is deployed, over the world's database and backend. Kill the child afterwards. */
export async function startGatewayProcess(
  world: GatewayWorld,
  overrides: Record<string, string> = {},
): Promise<GatewayProcess> {
  const [port, internalPort] = await Promise.all([freePort(), freePort()]);
  const env = {
    ...world.environment(overrides),
    PORT: String(port),
    INTERNAL_PORT: String(internalPort),
    PATH: process.env.PATH,
  };
  const child = spawn(process.execPath, ['--import', './scripts/start/processes/end-with-parent.ts', ENTRY], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  await eventually(() => expect(output).toContain('"msg":"started"'));
  const gateway: Gateway = {
    url: `http://127.0.0.1:${port}`,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    stop: async () => {},
  };
  return { child, gateway, output: () => output };
}
