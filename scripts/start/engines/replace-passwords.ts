import { rm } from 'node:fs/promises';
import { ENGINES } from '@frontdesk/service';
import { readText, writeJson, writeText } from '../keys/json-file.ts';
import {
  type EnginePasswordFiles,
  engineAccess,
  newPassword,
  previousFile,
  readServicePasswords,
  type Service,
  services,
} from './engine-passwords.ts';

const ADMINISTRATORS = 'administrators';

/**
 * The two steps that replace passwords while everything runs. NEW_ENGINE_PASSWORDS=<service> or =administrators makes new
 * ones; the earlier ones stay beside them, because an engine knows the new ones only once the migrate job has run.
 * END_ENGINE_PASSWORDS ends the earlier ones, from the migrate job after that on.
 * @returns what there is to tell: nothing is made where new ones are on their way already
 */
export async function replaceEnginePasswords(
  files: EnginePasswordFiles,
  env: { NEW_ENGINE_PASSWORDS?: string; END_ENGINE_PASSWORDS?: string },
): Promise<string | null> {
  const { NEW_ENGINE_PASSWORDS: added, END_ENGINE_PASSWORDS: ended } = env;
  let isNew = true;
  if (added === ADMINISTRATORS) isNew = await renewAdministrators(files);
  else if (added) isNew = await renew(serviceNamed(added), files);
  if (ended === ADMINISTRATORS) await endAdministrators(files);
  else if (ended) await end(serviceNamed(ended), files);
  return isNew
    ? null
    : `The passwords of ${added} are being replaced: run kafka-users and the migrate job, then keys with END_ENGINE_PASSWORDS=${added}.`;
}

/** @returns false where new ones are on their way already */
async function renew(service: Service, files: EnginePasswordFiles): Promise<boolean> {
  const file = files.servicePasswords(service);
  const { previous, ...passwords } = (await readServicePasswords(file)) ?? {};
  if (previous) return false;
  const fresh = Object.fromEntries(Object.keys(passwords).map((engine) => [engine, newPassword()]));
  await writeJson(file, { ...fresh, previous: passwords }, { mode: 0o600, owner: files.owner });
  return true;
}

async function end(service: Service, files: EnginePasswordFiles): Promise<void> {
  const file = files.servicePasswords(service);
  const { previous: _ended, ...passwords } = (await readServicePasswords(file)) ?? {};
  await writeJson(file, passwords, { mode: 0o600, owner: files.owner });
}

/** The rest of them too, where an earlier run was killed half way. @returns false where all are on their way already */
async function renewAdministrators(files: EnginePasswordFiles): Promise<boolean> {
  let isNew = false;
  for (const engine of ENGINES) {
    const file = files.administratorPassword(engine);
    const [current = '', previous] = await Promise.all([readText(file), readText(previousFile(file))]);
    if (previous && previous !== current) continue;
    const access = engineAccess(engine, files);
    await writeText(previousFile(file), current, access);
    await writeText(file, newPassword(), access);
    isNew = true;
  }
  return isNew;
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
