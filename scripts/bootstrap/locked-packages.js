// Plain JavaScript for Node 18: scripts/bootstrap.mjs asks this before anything is installed.

/** @typedef {{ version?: string, optional?: boolean, link?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Package */
/** @typedef {Record<string, Package>} Packages */

/**
 * Where packages will lie on this machine: those for others stay away.
 * @param {Packages} locked
 * @param {{ platform: string, arch: string }} machine
 */
export function pathsForHere(locked, { platform, arch } = process) {
  // What is for WebAssembly alone needs these, and says so nowhere.
  const withWasm = /\/(@emnapi\/|@napi-rs\/wasm-runtime$|@tybys\/wasm-util$)/;
  const libc = platform === 'linux' && !isGlibc() ? 'musl' : 'glibc';
  return Object.entries(locked)
    .filter(
      ([path, { optional, ...fits }]) =>
        !optional ||
        (allows(fits.os, platform) &&
          allows(fits.cpu, arch) &&
          allows(fits.libc, libc) &&
          !withWasm.test(path)),
    )
    .map(([path]) => path);
}

/** A list of names, or of `!names`. @param {string[] | undefined} list @param {string} name */
function allows(list, name) {
  if (!list) return true;
  return list.some((one) => !one.startsWith('!')) ? list.includes(name) : !list.includes(`!${name}`);
}

function isGlibc() {
  const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header.glibcVersionRuntime !== undefined;
}
