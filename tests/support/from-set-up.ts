/** A variable that global-setup.ts sets for every test of the run. */
export function fromSetUp(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: only tests under tests/ have engines and keys.`);
  return value;
}
