/** What closed-environment.test.ts runs jest on: the test is the first in its worker to write to both standard streams. */
it('passes', () => {
  process.stdout.write('out\n');
  process.stderr.write('err\n');
});
