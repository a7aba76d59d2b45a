/** Something the user has to mend; its message says how. */
export class Fault extends Error {}

/** @param {string} line */
export function say(line) {
  process.stderr.write(`${line}\n`);
}
