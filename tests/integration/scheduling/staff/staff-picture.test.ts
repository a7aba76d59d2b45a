import { MAX_PICTURE_BYTES } from '@frontdesk/contracts';
import { asOperator, salonToRun } from '../as-operator.ts';
import { MONDAY, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

const file = (beginning: string, length = 100) => {
  const bytes = Buffer.alloc(length);
  bytes.write(beginning, 'latin1');
  return bytes.toString('base64');
};
const PNG = { type: 'image/png', base64: file('\x89PNG\r\n\x1a\n') };
const JPEG = { type: 'image/jpeg', base64: file('\xff\xd8\xff\xe0') };

async function salonWithPicture() {
  const salon = await salonToRun(world);
  const path = `/staff/${salon.anna}/picture`;
  const { status, headers, body } = await salon.send('PUT', path, PNG);
  expect([status, headers.etag]).toEqual([200, '"2"']);
  return { ...salon, path, member: body.data };
}

describe('the picture of a staff member', () => {
  it('is shown as it was set, and their record, list and days have its version', async () => {
    const { send, path, anna, member } = await salonWithPicture();
    const { status, headers, body } = await send('GET', path);
    expect([status, headers.etag, body.data]).toEqual([200, '"2"', PNG]);
    expect(member).toMatchObject({ id: anna, name: 'Anna', picture_version: 2 });
    expect((await send('GET', `/staff/${anna}`)).body.data).toEqual(member);
    expect((await send('GET', '/staff')).body.data).toContainEqual(member);
    const { columns } = (await send('GET', `/days/${MONDAY}`)).body.data;
    expect(columns).toMatchObject([
      { staff_id: anna, picture_version: 2 },
      { name: 'Ben', picture_version: null },
    ]);
  });

  it('each new picture has a new version, also after a removal', async () => {
    const { send, path, anna } = await salonWithPicture();
    const version = async () => (await send('GET', `/staff/${anna}`)).body.data.picture_version;
    expect((await send('PUT', path, JPEG)).body.data.picture_version).toBe(3);
    expect((await send('GET', path)).body.data).toEqual(JPEG);
    await send('PATCH', `/staff/${anna}`, { name: 'Annabel' });
    expect(await version()).toBe(3);
    const removed = await send('DELETE', path);
    expect([removed.status, removed.body.data.picture_version]).toEqual([200, null]);
    expect((await send('GET', path)).status).toBe(404);
    // The same again changes nothing.
    expect((await send('DELETE', path)).headers.etag).toBe(removed.headers.etag);
    expect((await send('PUT', path, PNG)).body.data.picture_version).toBe(6);
  });

  it('goes with the staff member', async () => {
    const { send, path, anna, tenantId } = await salonWithPicture();
    const stored = () =>
      world.sql(tenantId, 'select staff_id from staff_pictures where tenant_id = $tenantId');
    expect(await stored()).toHaveLength(1);
    expect((await send('DELETE', `/staff/${anna}`)).body.data.picture_version).toBeNull();
    expect(await stored()).toEqual([]);
    for (const [method, body] of [['GET'], ['PUT', PNG], ['DELETE']] as const)
      expect([method, (await send(method, path, body)).status]).toEqual([method, 404]);
  });

  it('422 with a reason where the file is not of its type; nothing is changed', async () => {
    const { send, path } = await salonWithPicture();
    for (const wrong of [
      { ...PNG, type: 'image/jpeg' },
      { ...JPEG, base64: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') },
      { ...PNG, base64: '' },
    ]) {
      const { status, body } = await send('PUT', path, wrong);
      expect([status, body.reasons]).toEqual([422, { base64: [{ reason: 'not_picture' }] }]);
    }
    expect((await send('GET', path)).body.data).toEqual(PNG);
  });

  it.each([
    ['type', { ...PNG, type: 'image/svg+xml' }],
    ['type', { base64: PNG.base64 }],
    ['base64', { ...PNG, base64: 'no base64!' }],
    ['base64', { ...PNG, base64: 7 }],
    ['base64', { ...PNG, base64: file('\x89PNG\r\n\x1a\n', MAX_PICTURE_BYTES + 3) }],
  ])('422 on %s', async (field, picture) => {
    const { send, path } = await salonWithPicture();
    const { status, body } = await send('PUT', path, picture);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });

  it('may have 200 KiB', async () => {
    const { send, path } = await salonWithPicture();
    const largest = { ...PNG, base64: file('\x89PNG\r\n\x1a\n', MAX_PICTURE_BYTES) };
    expect((await send('PUT', path, largest)).status).toBe(200);
    expect((await send('GET', path)).body.data).toEqual(largest);
  });

  it('412: another version of the staff member than the one in If-Match', async () => {
    const { send, path } = await salonWithPicture();
    const stale = { 'if-match': '"1"' };
    expect((await send('PUT', path, JPEG, stale)).status).toBe(412);
    expect((await send('DELETE', path, undefined, stale)).status).toBe(412);
    expect((await send('GET', path)).body.data).toEqual(PNG);
  });

  it('404 for another tenant’s staff', async () => {
    const { path } = await salonWithPicture();
    const send = asOperator(world, (await openSalon(world)).tenantId);
    for (const [method, body] of [['GET'], ['PUT', PNG], ['DELETE']] as const)
      expect([method, (await send(method, path, body)).status]).toEqual([method, 404]);
  });
});
