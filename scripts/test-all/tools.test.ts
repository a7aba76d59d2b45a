import { missingTools } from './tools.ts';

describe('what an area needs', () => {
  const there = { name: 'Node', probe: [process.execPath, '--version'], cure: 'install Node' } as const;

  it('is not missed where it works', () => {
    expect(missingTools([there])).toEqual([]);
  });

  it.each([
    ['is not there', ['no-such-command-anywhere']],
    ['is there and fails', [process.execPath, '--no-such-flag']],
  ] as const)('is named with its cure where it %s', (_case, [command = '', ...args]) => {
    const broken = { name: 'A tool', probe: [command, ...args], cure: 'install it' } as const;
    expect(missingTools([there, broken])).toEqual(['A tool is missing: install it.']);
  });
});
