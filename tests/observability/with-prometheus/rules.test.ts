import { readdirSync } from 'node:fs';
import { runCommand } from '../../e2e/support/command.ts';

const DIRECTORY = 'deploy/prometheus';
const TESTS = readdirSync(`${DIRECTORY}/tests`).map((file) => `${DIRECTORY}/tests/${file}`);

const promtool = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCommand(['promtool', ...args]);
  return { code, output: code === 0 ? '' : `${stdout}${stderr}` };
};
const FINE = { code: 0, output: '' };

it('Prometheus takes its configurations, and the alerts that they name', async () => {
  expect(
    await promtool('check', 'config', `${DIRECTORY}/prometheus.yml`, `${DIRECTORY}/npm-start.yml`),
  ).toEqual(FINE);
});

it.each(TESTS)('each alert is silent, fires and is silent again as %s says', async (file) => {
  expect(await promtool('test', 'rules', file)).toEqual(FINE);
});
