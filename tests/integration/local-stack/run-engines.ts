import { startEngines } from '@frontdesk/local-stack';

/** A process of its own for the test to kill: starts engines, says where they are, and stops them on demand. */
const [directory = '', ports = '{}'] = process.argv.slice(2);
const engines = await startEngines({ directory, ports: JSON.parse(ports), env: { PATH: process.env.PATH } });
const { stop, ...addresses } = engines;
process.once('SIGTERM', () => {
  void stop().then(() => process.exit(0));
});
console.log(JSON.stringify(addresses));
setInterval(() => {}, 60_000);
