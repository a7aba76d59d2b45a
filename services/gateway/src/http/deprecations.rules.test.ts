import { OPERATIONS, type Operation } from '@frontdesk/contracts';
import { knowDeprecations } from './deprecations.rules.ts';

const deprecated = { since: '2026-06-01', sunset: '2027-06-01', link: 'https://docs.example.com/moved' };
const deprecationsOf = (...ids: string[]) =>
  knowDeprecations(
    OPERATIONS.map(
      (operation): Operation => (ids.includes(operation.id) ? { ...operation, deprecated } : operation),
    ),
  );
const HEADERS = {
  deprecation: '@1780272000',
  sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
  link: '<https://docs.example.com/moved>; rel="deprecation"',
};

it('asks nothing of any request while nothing is deprecated', () => {
  expect(deprecationsOf()).toBeNull();
});

it.each([
  ['get-appointment', 'GET', '/api/v1/appointments/7', HEADERS],
  ['get-appointment', 'HEAD', '/api/v1/appointments/7', HEADERS],
  ['get-appointment', 'GET', '/api/v1/appointments/none', HEADERS],
  ['get-appointment', 'GET', '/api/v1/appointments/slots', undefined],
  ['get-appointment', 'PATCH', '/api/v1/appointments/7', undefined],
  ['get-appointment', 'GET', '/api/v1/appointments', undefined],
  ['get-appointment', 'GET', '/api/v1/appointments/7/status', undefined],
  ['list-slots', 'GET', '/api/v1/appointments/slots', HEADERS],
  ['list-slots', 'GET', '/api/v1/appointments/7', undefined],
])('%s deprecated: %s %s', (id, method, path, headers) => {
  expect(deprecationsOf(id)?.(method, path)).toEqual(headers);
});
