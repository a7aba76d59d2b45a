/** Web Crypto, which Node 18 has only as a module. No bundler follows the import: wherever it bundles for, there is a global one. */
export async function webCrypto(): Promise<Crypto> {
  if (globalThis.crypto !== undefined) return globalThis.crypto;
  const name = 'node:crypto';
  const { webcrypto } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as {
    webcrypto: Crypto;
  };
  return webcrypto;
}

/** 128 random bits in hexadecimal. `randomUUID` is missing on pages without TLS. */
export async function randomKey(): Promise<string> {
  const bytes = (await webCrypto()).getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
