import type { Scope } from '@frontdesk/contracts';
import { EMPTY_FORM } from '../ui/page-context.ts';
import { endpointForm } from './endpoint-form.view.ts';

const drawnFor = (scopes: readonly Scope[]) => {
  const context = {
    asset: (name: string) => name,
    email: null,
    csrfToken: '',
    formToken: '',
    businessName: null,
    hasOtherBusinesses: false,
    isSuspended: false,
    scopes,
    notice: null,
  };
  return String(endpointForm(context, EMPTY_FORM, { isOpen: true }));
};

it('offers of an endpoint’s scopes those that the person has, and all of these are ticked', () => {
  const page = drawnFor(['webhooks:write', 'calls:read', 'calls:transcripts', 'staff:read']);
  expect([...page.matchAll(/name="scopes" value="([^"]+)"( checked)?/g)].map(([, ...box]) => box)).toEqual([
    ['calls:read', ' checked'],
    ['calls:transcripts', ' checked'],
  ]);
  expect(page).toContain('See the transcript, summary and recording of calls.');
});
