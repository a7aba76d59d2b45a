import { leftOutHint, leftOutPatterns } from './area-folders.ts';

describe('tests of an area', () => {
  it.each([
    ['tests/client', 'client'],
    ['tests/schemathesis/every-answer.test.ts', 'schemathesis'],
    ['./tests/observability/with-prometheus/', 'observability'],
    ['scripts/release/compare.test.ts', 'compatibility'],
  ])('that are asked for outside of it are named with it: %s', (path, area) => {
    expect(leftOutHint(['--verbose', path], {})).toContain(`npm run test:all -- ${area} runs it`);
  });

  it.each(['tests/integration/client', 'tests/observability', '--verbose', 'crm'])(
    'have nothing to do with %s',
    (argument) => expect(leftOutHint([argument], {})).toBeNull(),
  );

  it('run where the area has set its variable', () => {
    const env = { CLIENT_NODE_18: '/usr/bin/node18' };
    expect(leftOutHint(['tests/client'], env)).toBeNull();
    expect(leftOutPatterns(env)).not.toContain('/tests/client/');
    expect(leftOutPatterns({})).toContain('/tests/client/');
  });
});
