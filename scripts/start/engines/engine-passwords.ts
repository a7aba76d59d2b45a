import { randomBytes } from 'node:crypto';
import { ENGINES, type Engine, type EnginePasswordsFile, enginePasswords } from '@frontdesk/service';
import {
  type FileAccess,
  type FileOwner,
  readJson,
  readText,
  writeJson,
  writeText,
} from '../keys/json-file.ts';

const PASSWORD_BYTES = 32;
const CURE = 'put back a copy of it, or delete it, and the next start makes new passwords';

/** The engines that each service uses, each with a user of its own. */
const ENGINES_OF = {
  gateway: ['postgres', 'redis', 'kafka'],
  scheduling: ['postgres', 'kafka'],
  crm: ['postgres', 'kafka'],
  calls: ['postgres', 'kafka'],
  webhooks: ['postgres', 'kafka'],
  'settings-ui': ['postgres', 'redis'],
} as const satisfies Record<string, readonly Engine[]>;

export type Service = keyof typeof ENGINES_OF;

/** A service's user at an engine. PostgreSQL's role has the name of the database that it owns. */
const engineUser = (engine: Engine, service: string): string =>
  engine === 'postgres' ? `frontdesk_${service.replace('-', '_')}` : service;

/** Where the passwords of a system lie. */
export interface EnginePasswordFiles {
  /** Of one service's users, as ENGINE_PASSWORDS_FILE names it. */
  servicePasswords(service: Service): string;
  /** Of one engine's administrator: nothing but the password, which engines' own tools read. */
  administratorPassword(engine: Engine): string;
  /** Who may read a service's file besides root; by default the user who writes it. */
  owner?: FileOwner | undefined;
  /** Who may read an administrator's file: the engine itself, and the services' group for the migrate job. */
  administratorOwner?(engine: Engine): FileOwner | undefined;
}

/** A service's user at an engine. */
export interface EngineUser {
  service: Service;
  user: string;
  /** The current one, then the previous one while it is being replaced. */
  passwords: readonly [string, ...string[]];
}

/**
 * Creates the passwords that are missing, for services and engines that a later release adds too; those that are there
 * stay as they are. @returns whose are new, for example `gateway (redis)`
 */
export async function ensureEnginePasswords(files: EnginePasswordFiles): Promise<string[]> {
  const created: string[] = [];
  const ofServices = services().map(async ([service, engines]) => {
    const file = files.servicePasswords(service);
    const present = await readServicePasswords(file);
    const missing = engines.filter((engine) => !present?.[engine]);
    if (missing.length === 0) return;
    const fresh = Object.fromEntries(missing.map((engine) => [engine, newPassword()]));
    await writeJson(file, { ...present, ...fresh }, { mode: 0o600, owner: files.owner });
    created.push(`${service} (${missing.join(', ')})`);
  });
  const ofAdministrators = ENGINES.map(async (engine) => {
    const file = files.administratorPassword(engine);
    if (await readText(file)) return;
    await writeText(file, newPassword(), engineAccess(engine, files));
    created.push(`administrator (${engine})`);
  });
  await Promise.all([...ofServices, ...ofAdministrators]);
  return created;
}

export const readServicePasswords = (file: string) => readJson<EnginePasswordsFile>(file, CURE);

/** The users of an engine: one for each service that uses it. */
export function usersOf(engine: Engine, files: EnginePasswordFiles): EngineUser[] {
  return services()
    .filter(([, engines]) => engines.includes(engine))
    .map(([service]) => ({
      service,
      user: engineUser(engine, service),
      passwords: enginePasswords(files.servicePasswords(service), engine),
    }));
}

/** The password of an engine's administrator. @throws Error naming the file where there is none. */
export async function administratorPassword(engine: Engine, files: EnginePasswordFiles): Promise<string> {
  return (await administratorPasswords(engine, files))[0];
}

/** The same, then the previous one while it is being replaced. */
export async function administratorPasswords(
  engine: Engine,
  files: EnginePasswordFiles,
): Promise<[string, ...string[]]> {
  const file = files.administratorPassword(engine);
  const [current, previous] = await Promise.all([readText(file), readText(previousFile(file))]);
  if (!current) throw new Error(`${file} has no password.`);
  return previous ? [current, previous] : [current];
}

/** The access to a file that an engine reads. Its group may read it too, unless that is simply the writer's group. */
export function engineAccess(engine: Engine, files: EnginePasswordFiles): FileAccess {
  const owner = files.administratorOwner?.(engine);
  return { mode: owner ? 0o640 : 0o600, owner };
}

/** Where the password lies that an administrator's replaces. */
export const previousFile = (file: string) => `${file}.previous`;

/** Role → its passwords, for the migrate job: of the services and of the administrator. */
export async function postgresPasswords(
  files: EnginePasswordFiles,
): Promise<Record<string, readonly string[]>> {
  return {
    ...Object.fromEntries(usersOf('postgres', files).map(({ user, passwords }) => [user, passwords])),
    postgres: await administratorPasswords('postgres', files),
  };
}

export const services = () => Object.entries(ENGINES_OF) as [Service, readonly Engine[]][];

export const newPassword = () => randomBytes(PASSWORD_BYTES).toString('base64url');
