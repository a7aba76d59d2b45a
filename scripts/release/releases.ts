import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '../repository.ts';

const RELEASES = join(REPOSITORY, 'docs', 'releases');

export const descriptionFile = (version: string) => join(RELEASES, version, 'openapi.json');

/** The version in package.json, which the next release has or the last one had. */
export async function currentVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

/** The highest version that has a description. */
export async function lastRelease(): Promise<string> {
  const versions = await readdir(RELEASES);
  const last = versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  if (last === undefined) throw new Error('docs/releases holds no release.');
  return last;
}
