import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@frontdesk/local-stack';
import { Cluster, Redis } from 'ioredis';
import { eventually } from './eventually.ts';

const HOST = '127.0.0.1';
const SLOTS = 16_384;
const NODES = 3;

/** A Redis Cluster of three nodes without replicas, of the system's own `redis-server`; with these users, or without any. */
export async function startRedisCluster(users?: { aclFile: string; administratorPassword: string }) {
  const directory = await mkdtemp(join(tmpdir(), 'redis-cluster-'));
  const ports = await freePorts(2 * NODES);
  const servers = Array.from({ length: NODES }, (_, n) => {
    const options = {
      port: ports[n],
      'cluster-port': ports[NODES + n],
      'cluster-enabled': 'yes',
      'cluster-config-file': `nodes-${n}.conf`,
      bind: HOST,
      save: '',
      ...(users && { aclfile: users.aclFile }),
    };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    return spawn('redis-server', args, { stdio: 'ignore', cwd: directory });
  });
  const redisOptions = users ? { username: 'admin', password: users.administratorPassword } : {};
  const nodes = servers.map((_, n) => new Redis(ports[n] ?? 0, HOST, redisOptions));
  for (const [n, node] of nodes.entries()) {
    const [first, last] = [n, n + 1].map((share) => Math.floor((SLOTS * share) / NODES));
    await node.cluster('ADDSLOTSRANGE', first ?? 0, (last ?? 0) - 1);
    if (n > 0) await node.call('CLUSTER', 'MEET', HOST, String(ports[0]), String(ports[NODES]));
  }
  await eventually(async () => {
    const known = await Promise.all(nodes.map((node) => node.cluster('INFO')));
    for (const info of known) {
      expect(info).toContain('cluster_state:ok');
      expect(info).toContain(`cluster_known_nodes:${NODES}`);
    }
  });
  const client = new Cluster([{ host: HOST, port: ports[0] ?? 0 }], { redisOptions });

  return {
    url: `redis://${HOST}:${ports[0]}`,
    /** The test's own connections: to the cluster, and to each node. */
    client,
    nodes,
    async stop() {
      client.disconnect();
      for (const node of nodes) node.disconnect();
      for (const server of servers) {
        const ended = once(server, 'exit');
        server.kill();
        await ended;
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}
