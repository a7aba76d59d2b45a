import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureMade } from './made-files.js';
import { say } from './output.mjs';
import { runQuietly } from './processes.mjs';

const REPOSITORY = join(fileURLToPath(import.meta.url), '..', '..', '..');
/** The lock says which packages and which Node; the contracts use no other lib. */
const INPUTS = ['package-lock.json', 'libs/contracts', 'sdk/generator'];

/** Makes the types and examples that the client has of the contracts, unless they are there. @param {string} node the pinned one */
export async function ensureGeneratedClient(node) {
  await ensureMade({
    folder: join(REPOSITORY, 'sdk/typescript/src/generated'),
    inputs: INPUTS.map((path) => join(REPOSITORY, path)),
    async make(folder) {
      say('Making the client’s types from the contracts …');
      const generator = join(REPOSITORY, 'sdk/generator/src/main.ts');
      await runQuietly(node, [generator, folder], process.env, () => 'still at it');
    },
  });
}
