import { spawnSync } from 'node:child_process';

/**
 * The command that runs another one such that, on Linux, the kernel sends it the signal when this process dies, however it
 * does; elsewhere the command as it is, whose leftovers the next start ends. `options` are for spawn.
 */
export function withParent(
  command: string,
  args: string[],
  signal: NodeJS.Signals,
  user?: { uid: number; gid: number },
): { command: string; args: string[]; options: { uid?: number; gid?: number } } {
  if (spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status !== 0)
    return { command, args, options: { ...user } };
  const identity = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : [];
  const flags = [...identity, '--pdeathsig', signal.replace('SIG', '')];
  return { command: 'setpriv', args: [...flags, command, ...args], options: {} };
}
