import { join, relative, resolve } from 'node:path';
import type { Audience } from '@frontdesk/contracts';
import { REPOSITORY } from '../repository.ts';
import { portBaseFrom, systemPorts } from '../start/processes/ports.ts';
import { internalPortOf, systemUrls } from '../start/processes/service-catalog.ts';
import { Unreachable, WrongInput } from './errors.ts';

export type Service = Audience;

/** `<SERVICE>_INTERNAL_URL`, else the port of the system that `npm start` runs. */
export async function addressOf(service: Service): Promise<string> {
  const variable = `${service.toUpperCase().replace('-', '_')}_INTERNAL_URL`;
  const given = process.env[variable];
  if (given && !/^https?:$/.test(URL.parse(given)?.protocol ?? ''))
    throw new WrongInput(`${variable} is no http address: ${given}`);
  if (given) return given;
  const directory = systemDirectory();
  const base = process.env.PORT_BASE ? givenPortBase() : await runningPortBaseIn(directory);
  if (base !== undefined) return systemUrls(systemPorts(base))[internalPortOf(service)];
  throw new Unreachable(
    `No system runs in ${relative(process.cwd(), directory) || '.'}. Start it (npm start), or set SYSTEM_DIRECTORY, PORT_BASE or ${variable} to reach another one.`,
  );
}

function givenPortBase(): number {
  try {
    return portBaseFrom(process.env);
  } catch (error) {
    throw new WrongInput((error as Error).message);
  }
}

/** Loaded only where it is asked for: the image of the tools, in which all addresses are given, has no local stack. */
async function runningPortBaseIn(directory: string): Promise<number | undefined> {
  const { runningPortBase } = await import('../start/processes/instance-lock.ts');
  return runningPortBase(directory);
}

/** Where `npm start` keeps its state, as its `--directory` says. */
export function systemDirectory(): string {
  return resolve(process.env.SYSTEM_DIRECTORY || join(REPOSITORY, '.local'));
}
