import type { ClaimRoom } from './prefetch-room.ts';
import { createUnsignedEndpoints, LEFT_ALONE_MS } from './unsigned-endpoints.ts';

const room: ClaimRoom = { perEndpoint: 500, endpoints: new Map([[8, 0]]), tenants: new Map() };

it('are left alone for a while, then tried with a single delivery, and left alone again', () => {
  let now = 0;
  const endpoints = createUnsignedEndpoints(
    () => now,
    () => 0.5,
  );
  const roomOf = (id: number) => endpoints.limit(room).endpoints.get(id);
  endpoints.note(7);
  endpoints.note(8);
  now = LEFT_ALONE_MS;
  expect([roomOf(7), roomOf(8), roomOf(9)]).toEqual([0, 0, undefined]);
  now = 2 * LEFT_ALONE_MS;
  expect([roomOf(7), roomOf(8), roomOf(9)]).toEqual([1, 0, undefined]);
  endpoints.note(7);
  expect([roomOf(7), roomOf(8), roomOf(9)]).toEqual([0, 0, undefined]);
});

it('are like any other once they have been changed', () => {
  const endpoints = createUnsignedEndpoints();
  endpoints.note(7);
  endpoints.forget(7);
  expect([endpoints.has(7), endpoints.limit(room)]).toEqual([false, room]);
});
