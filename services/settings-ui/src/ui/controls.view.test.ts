import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_SCOPES } from '@frontdesk/contracts';
import { postForm } from './controls.view.ts';
import { html } from './html.ts';
import type { PageContext } from './page-context.ts';

const CONTEXT: PageContext = {
  asset: (name) => name,
  email: 'ada@salon.example',
  csrfToken: 'csrf',
  formToken: 'once',
  businessName: null,
  hasOtherBusinesses: false,
  isSuspended: false,
  scopes: ALL_SCOPES,
  notice: null,
};
const SUSPENDED = { ...CONTEXT, isSuspended: true };
const FORM = { action: '/settings/x', body: html`<input name="text">` };

const DISABLED = '<fieldset class="switched-off" disabled>';

it('a form of a suspended business can be read and not sent, unless it concerns the admin alone', () => {
  expect(String(postForm(CONTEXT, FORM))).not.toContain(DISABLED);
  expect(String(postForm(SUSPENDED, FORM))).toMatch(
    new RegExp(`^<form [^>]*>${DISABLED}.*</fieldset></form>$`),
  );
  expect(String(postForm(SUSPENDED, { ...FORM, worksSuspended: true }))).not.toContain(DISABLED);
});

it('a form carries the token of its session, where there is one', () => {
  expect(String(postForm(CONTEXT, FORM))).toContain('name="_csrf" value="csrf"');
  expect(String(postForm({ ...CONTEXT, csrfToken: '' }, FORM))).not.toContain('_csrf');
  expect(String(postForm(CONTEXT, { ...FORM, isOnce: true }))).toContain('name="form_token" value="once"');
});

it('no page writes such a form itself', () => {
  const source = join(import.meta.dirname, '..');
  const writing = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') &&
      !name.endsWith('.test.ts') &&
      readFileSync(join(source, name), 'utf8').includes('method="post"'),
  );
  expect(writing.toSorted()).toEqual([join('ui', 'controls.view.ts')]);
});
