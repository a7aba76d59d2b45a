import { ALL_SCOPES } from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { confirmPageOf } from './confirm-page.ts';
import type { PageContext } from './page-context.ts';

const context: PageContext = {
  asset: (name) => `/${name}`,
  email: 'ada@salon.example',
  businessName: 'Salon',
  hasOtherBusinesses: false,
  isSuspended: false,
  scopes: ALL_SCOPES,
  csrfToken: 'csrf',
  formToken: 'form',
  notice: null,
  done: null,
};
const pageOf = (method: string) => {
  const request = {
    method,
    url: '/settings/files/a.csv?x=1',
    routeOptions: { url: '/settings/files/a.csv' },
  };
  const error = new AppError('confirmation_required', 'Confirm it.');
  return confirmPageOf(context, request as FastifyRequest, error);
};

it('HEAD is asked what GET is: a question that leads to the address itself', () => {
  expect(pageOf('GET')).toContain('action="/settings/confirm"');
  expect(pageOf('HEAD')).toBe(pageOf('GET'));
  expect(pageOf('POST')).toContain('action="/settings/files/a.csv?x=1"');
});
