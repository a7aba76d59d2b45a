import { rm } from 'node:fs/promises';
import { ENGINES, type EnginePasswordsFile } from '@frontdesk/service';
import {
  type EnginePasswordFiles,
  newPassword,
  previousFile,
  type Service,
  services,
} from './engine-passwords.ts';
import { readJson, readText, writeJson, writeText } from './json-file.ts';

const ADMINISTRATORS = 'administrators';

/**
 * The two steps that replace passwords while everything runs. NEW_ENGINE_PASSWORDS=<service> or =administrators makes new
 * ones; the earlier ones stay beside them, because an engine knows the new ones only once the migrate job has run.
 * END_ENGINE_PASSWORDS ends the earlier ones, from the migrate job after that on.
 */
export async function replaceEnginePasswords(
  files: EnginePasswordFiles,
  env: { NEW_ENGINE_PASSWORDS?: string; END_ENGINE_PASSWORDS?: string },
): Promise<void> {
  const { NEW_ENGINE_PASSWORDS: added, END_ENGINE_PASSWORDS: ended } = env;
  if (added === ADMINISTRATORS) await renewAdministrators(files);
  else if (added) await renew(serviceNamed(added), files);
  if (ended === ADMINISTRATORS) await endAdministrators(files);
  else if (ended) await end(serviceNamed(ended), files);
}

async function renew(service: Service, files: EnginePasswordFiles): Promise<void> {
  const file = files.servicePasswords(service);
  const { previous, ...passwords } = (await readJson<EnginePasswordsFile>(file)) ?? {};
  if (previous) throw new Error(underWay(service));
  const fresh = Object.fromEntries(Object.keys(passwords).map((engine) => [engine, newPassword()]));
  await writeJson(file, { ...fresh, previous: passwords }, { mode: 0o600, owner: files.owner });
}

async function end(service: Service, files: EnginePasswordFiles): Promise<void> {
  const file = files.servicePasswords(service);
  const { previous: _ended, ...passwords } = (await readJson<EnginePasswordsFile>(file)) ?? {};
  await writeJson(file, passwords, { mode: 0o600, owner: files.owner });
}

async function renewAdministrators(files: EnginePasswordFiles): Promise<void> {
  const earlier = ENGINES.map((engine) => previousFile(files.administratorPassword(engine)));
  for (const file of earlier) if (await readText(file)) throw new Error(underWay(ADMINISTRATORS));
  for (const engine of ENGINES) {
    const file = files.administratorPassword(engine);
    const access = { mode: 0o640, owner: files.administratorOwner?.(engine) };
    await writeText(previousFile(file), (await readText(file)) ?? '', access);
    await writeText(file, newPassword(), access);
  }
}

async function endAdministrators(files: EnginePasswordFiles): Promise<void> {
  for (const engine of ENGINES) await rm(previousFile(files.administratorPassword(engine)), { force: true });
}

function serviceNamed(name: string): Service {
  const found = services().find(([service]) => service === name);
  if (!found)
    throw new Error(
      `There is no service "${name}": one of ${services()
        .map(([service]) => service)
        .join(', ')}, or ${ADMINISTRATORS}.`,
    );
  return found[0];
}

const underWay = (whose: string) =>
  `The passwords of ${whose} are being replaced: run the migrate job, then set END_ENGINE_PASSWORDS=${whose}.`;
