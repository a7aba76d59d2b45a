import { readFile } from 'node:fs/promises';

const HOSTS_FILE = '/etc/hosts';

/** The addresses that this machine's own file gives a name, since name servers know nothing of `localhost` and its like. */
export async function addressesInHostsFile(name: string): Promise<string[]> {
  const lines = (await readFile(HOSTS_FILE, 'utf8').catch(() => '')).split('\n');
  return lines.flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return names.some((alias) => alias.toLowerCase() === name) ? [address] : [];
  });
}
