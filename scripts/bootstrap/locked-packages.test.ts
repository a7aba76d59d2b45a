import { existsSync, readFileSync } from 'node:fs';
import { pathsForHere } from './locked-packages.js';

describe('how far an installation is', () => {
  it('counts the packages for this machine alone, so that it comes to an end', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const paths = pathsForHere(packages);
    // npm removes an optional package that it can't build here.
    const areNeeded = paths.filter((path) => !packages[path].optional || packages[path].os);
    expect(areNeeded.filter((path) => !existsSync(`${path || '.'}/package.json`))).toEqual([]);
    expect(paths.length).toBeLessThan(Object.keys(packages).length);
  });

  it('leaves out what is for another system, processor or C library', () => {
    const optional = true;
    const locked = {
      '': {},
      'node_modules/needed': {},
      'node_modules/mac': { optional, os: ['darwin'] },
      'node_modules/not-mac': { optional, os: ['!darwin'] },
      'node_modules/arm': { optional, os: ['linux'], cpu: ['arm64'] },
    };
    expect(pathsForHere(locked, { platform: 'linux', arch: 'x64' })).toEqual([
      ...['', 'node_modules/needed', 'node_modules/not-mac'],
    ]);
  });
});
