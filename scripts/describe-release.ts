import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { descriptionText } from './release/description.ts';
import { currentVersion, descriptionFile } from './release/releases.ts';
import { REPOSITORY } from './repository.ts';

/** `npm run -s describe-release`: keeps the description of API v1 for the version in package.json, once. */
const file = descriptionFile(await currentVersion());
const name = relative(REPOSITORY, file);
if (existsSync(file)) {
  console.error(`${name} is there: a release keeps its description. Raise "version" in package.json first.`);
  process.exitCode = 1;
} else {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, descriptionText());
  console.log(`${name} is written.`);
}
