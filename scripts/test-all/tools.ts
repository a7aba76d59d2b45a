import { spawnSync } from 'node:child_process';

/** A program that an area needs, and how to install it. */
export interface Tool {
  name: string;
  /** Ends with 0 where the tool is there and works. */
  probe: readonly [command: string, ...args: string[]];
  cure: string;
}

export const docker: Tool = {
  name: 'a Docker engine',
  probe: ['docker', 'info'],
  cure: 'install Docker (https://docs.docker.com/engine/install) and start it',
};

export const compose: Tool = {
  name: 'Docker Compose 2',
  probe: ['docker', 'compose', 'version'],
  cure: 'install the plug-in docker-compose-plugin',
};

export const stressNg: Tool = {
  name: 'stress-ng',
  probe: ['stress-ng', '--version'],
  cure: 'apt-get install stress-ng (macOS: brew install stress-ng)',
};

export const go: Tool = {
  name: 'Go',
  probe: ['go', 'version'],
  cure: 'install Go 1.21 or newer (https://go.dev/doc/install), which fetches the release of itself that a tool needs',
};

export const php: Tool = {
  name: 'PHP 8',
  probe: ['php', '-r', 'exit(PHP_MAJOR_VERSION < 8 ? 1 : 0);'],
  cure: 'install PHP 8 or newer (Debian: apt-get install php-cli)',
};

export const python: Tool = {
  name: 'Python 3.11 with venv',
  probe: ['python3', '-c', 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))'],
  cure: 'install Python 3.11 or newer (Debian: apt-get install python3 python3-venv)',
};

export const prometheus: Tool = {
  name: 'Prometheus',
  probe: ['prometheus', '--version'],
  cure: 'install prometheus, which brings promtool (Debian: apt-get install prometheus)',
};

export const promtool: Tool = {
  name: 'promtool',
  probe: ['promtool', '--version'],
  cure: 'install prometheus, which brings it (Debian: apt-get install prometheus)',
};

/** There is no tag. */
export const RELEASE_0_1_0 = '27bde68a';

export const historyTo010: Tool = {
  name: 'the commit of release 0.1.0',
  probe: ['git', 'cat-file', '-e', `${RELEASE_0_1_0}^{commit}`],
  cure: 'run git fetch --unshallow in a clone of the repository',
};

/** A sentence for each tool that is missing, with its cure. */
export function missingTools(tools: readonly Tool[]): string[] {
  return tools.filter(({ probe }) => !works(probe)).map(({ name, cure }) => `${name} is missing: ${cure}.`);
}

function works([command, ...args]: Tool['probe']): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
