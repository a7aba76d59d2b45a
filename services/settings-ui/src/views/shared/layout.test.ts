import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { layout } from './layout.ts';

it('every page brings all styles and scripts that there are', () => {
  const brought: string[] = [];
  const asset = (name: string) => {
    brought.push(name);
    return `/${name}`;
  };
  const person = { email: 'admin@salon.example', csrfToken: '', formToken: '', isSuspended: false };
  layout({ asset, ...person, notice: null }, { title: 'Calendar', body: '' });
  const files = readdirSync(join(import.meta.dirname, '..', '..', '..', 'public'));
  expect(brought.toSorted()).toEqual(files.toSorted());
});
