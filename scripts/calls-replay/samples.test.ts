import { readSample } from './samples.ts';

describe('a sample', () => {
  it('of no such name is none', () => {
    for (const name of ['nope', '../package', 'retell/nope', ''])
      expect(() => readSample(name)).toThrow('There is no sample');
  });
});
