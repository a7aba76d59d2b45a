import { MAX_PICTURE_BYTES, STAFF_COLORS } from '@frontdesk/contracts';
import {
  addStaff,
  type BusinessWorld,
  openSalon,
  STAFF,
  startBusinessWorld,
  versionIn,
} from '../business-world.ts';

let world: BusinessWorld;
beforeAll(async () => {
  world = await startBusinessWorld();
});
afterAll(() => world.stop());

const PNG = Buffer.from('\x89PNG\r\n\x1a\nA picture', 'latin1');
const fileOf = (bytes: Buffer, type = 'image/png') => new File([new Uint8Array(bytes)], 'anna', { type });
const faceOf = (page: string, name: string) =>
  new RegExp(
    `<(?:span|img) class="face" data-color="(\\w+)"[^>]*>[^<]*(?:</span>)?<a [^>]*>${name}</a>`,
  ).exec(page);

describe('a colour', () => {
  it('goes by the id until one is chosen', async () => {
    const { browser, path, anna } = await openSalon(world);
    const ben = await addStaff(browser, { name: 'Ben Kaya' });
    const list = (await browser.html(STAFF)).page;
    const [ofAnna, ofBen] = [faceOf(list, 'Anna'), faceOf(list, 'Ben Kaya')];
    expect([ofAnna?.[1], ofBen?.[1]]).toEqual(
      [anna, ben].map((id) => STAFF_COLORS[id % STAFF_COLORS.length]),
    );
    expect([ofAnna?.[0], ofBen?.[0]]).toEqual([
      expect.stringContaining('>A<'),
      expect.stringContaining('>BK<'),
    ]);

    const { page } = await browser.html(path);
    expect(page).toMatch(new RegExp(`name="color" value="${ofAnna?.[1]}" checked`));
    for (const color of STAFF_COLORS)
      expect(page).toMatch(
        new RegExp(`value="${color}"[^>]*>\\s*<span><span class="swatch"[^>]*></span> ${color}`, 'i'),
      );

    const version = versionIn(page, 'staff-form');
    const saved = await browser.form(path, { name: 'Anna', has_services: '1', color: 'brown', version });
    expect(saved.status).toBe(303);
    expect(faceOf((await browser.html(STAFF)).page, 'Anna')?.[1]).toBe('brown');
  });

  it.each(['mauve', '', ['red', 'blue'], { red: true }, 7])('422 for %j from a program', async (color) => {
    const { browser, path } = await openSalon(world);
    const { status, body } = await browser.json('POST', path, { color });
    expect([status, color === '' || Object.keys(body.errors)]).toEqual([
      color === '' ? 200 : 422,
      color === '' || ['color'],
    ]);
  });
});

describe('a picture', () => {
  it('is shown in place of the initials, kept for its version, replaced and removed', async () => {
    const { browser, path } = await openSalon(world);
    const version = versionIn((await browser.html(path)).page, 'picture-form');
    const saved = await browser.upload(`${path}/picture`, { version }, ['picture', fileOf(PNG)]);
    expect([saved.status, saved.headers.location]).toEqual([303, `${path}?done=picture-saved#picture`]);
    const [, address = ''] =
      /<img class="face"[^>]* src="([^"]+)" alt=""/.exec((await browser.html(STAFF)).page) ?? [];
    expect(address).toMatch(new RegExp(`^${path}/picture\\?v=\\d+$`));

    const shown = await browser.send('GET', address, { accept: 'image/*' });
    expect([shown.statusCode, shown.rawPayload]).toEqual([200, PNG]);
    expect(shown.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const bare = await browser.send('GET', `${path}/picture`, { accept: 'image/*' });
    expect([bare.statusCode, bare.headers['cache-control']]).toEqual([200, 'no-store']);

    const { page } = await browser.html(path);
    const again = { version: versionIn(page, 'picture-form') };
    const jpeg = fileOf(Buffer.from('\xff\xd8\xff\xe0Another', 'latin1'), 'image/jpeg');
    await browser.upload(`${path}/picture`, again, ['picture', jpeg]);
    expect((await browser.html(STAFF)).page).not.toContain(address);
    expect((await browser.send('GET', `${path}/picture`, {})).headers['content-type']).toBe('image/jpeg');
    const overtaken = await browser.upload(`${path}/picture`, again, ['picture', fileOf(PNG)]);
    expect([overtaken.status, overtaken.page.includes('Someone else has changed this')]).toEqual([412, true]);

    const removed = await browser.form(`${path}/picture/delete`, {});
    expect(removed.headers.location).toBe(`${path}?done=picture-removed#picture`);
    expect((await browser.send('GET', `${path}/picture`, {})).statusCode).toBe(404);
    expect((await browser.html(STAFF)).page).toContain('<span class="face"');
    const log = (await browser.html('/settings/audit')).page;
    for (const words of ['Changed', 'Removed'])
      expect(log).toContain(`${words} the picture of a staff member`);
  });

  it('of exactly 200 KiB is taken', async () => {
    const { browser, path } = await openSalon(world);
    const whole = Buffer.concat([PNG, Buffer.alloc(MAX_PICTURE_BYTES - PNG.length)]);
    expect((await browser.upload(`${path}/picture`, {}, ['picture', fileOf(whole)])).status).toBe(303);
    expect((await browser.send('GET', `${path}/picture`, {})).rawPayload).toHaveLength(MAX_PICTURE_BYTES);
  });

  it.each([
    ['larger than that', fileOf(Buffer.concat([PNG, Buffer.alloc(MAX_PICTURE_BYTES)])), 'larger than 200 KB'],
    ['as a telephone takes it', fileOf(Buffer.alloc(8 * 2 ** 20)), 'larger than 200 KB'],
    ['of another type', fileOf(PNG, 'image/svg+xml'), 'a PNG, JPEG or WebP file'],
    ['that is something else', fileOf(Buffer.from('<svg/>')), 'a PNG, JPEG or WebP file'],
    ['that is empty', fileOf(Buffer.alloc(0)), 'Choose a picture first.'],
  ])('422: one %s is refused in words', async (_what, file, words) => {
    const { browser, path } = await openSalon(world);
    const { status, page } = await browser.upload(`${path}/picture`, {}, ['picture', file]);
    expect(status).toBe(422);
    expect(/id="picture-error">([^<]*)</.exec(page)?.[1]).toContain(words);
  });

  it('413: a body beyond 16 MiB is refused unread', async () => {
    const { browser, path } = await openSalon(world);
    const file = fileOf(Buffer.alloc(17 * 2 ** 20));
    expect((await browser.upload(`${path}/picture`, {}, ['picture', file])).status).toBe(413);
  });

  it('422 for what is no such form', async () => {
    const { browser, path } = await openSalon(world);
    const headers = { accept: 'text/html', 'x-csrf-token': browser.csrfToken() };
    for (const [type, body] of [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=b', '--b\r\ncut off'],
      ['multipart/form-data; boundary=b', ''],
      [
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--',
      ],
    ]) {
      const sent = { ...headers, 'content-type': type as string };
      const { statusCode } = await browser.send('POST', `${path}/picture`, sent, body);
      expect([type, body, statusCode]).toEqual([type, body, 422]);
    }
  });

  it('403 without the session’s token, and nothing is changed', async () => {
    const { browser, path } = await openSalon(world);
    const forged = await browser.upload(`${path}/picture`, { _csrf: 'forged' }, ['picture', fileOf(PNG)]);
    expect(forged.status).toBe(403);
    expect((await browser.send('GET', `${path}/picture`, {})).statusCode).toBe(404);
  });

  it('415: no other form takes a file', async () => {
    const { browser, path } = await openSalon(world);
    expect((await browser.upload(path, { name: 'Eve' }, ['picture', fileOf(PNG)])).status).toBe(415);
    expect((await browser.json('GET', path)).body.data.name).toBe('Anna');
  });

  it('404 for another business, which can neither see nor change it', async () => {
    const [{ browser, path }, other] = [await openSalon(world), await openSalon(world)];
    await browser.upload(`${path}/picture`, {}, ['picture', fileOf(PNG)]);
    const tried = [
      (await other.browser.send('GET', `${path}/picture?v=1`, {})).statusCode,
      (await other.browser.upload(`${path}/picture`, {}, ['picture', fileOf(PNG)])).status,
      (await other.browser.form(`${path}/picture/delete`, {})).status,
    ];
    expect(tried).toEqual([404, 404, 404]);
    expect((await browser.send('GET', `${path}/picture`, {})).rawPayload).toEqual(PNG);
  });

  it('programs send it as JSON', async () => {
    const { browser, path } = await openSalon(world);
    const picture = { type: 'image/png', base64: PNG.toString('base64') };
    const { status, body } = await browser.json('POST', `${path}/picture`, { picture });
    expect([status, typeof body.data.picture_version]).toEqual([200, 'number']);
    for (const odd of [null, 7, 'x', [], {}, { ...picture, base64: 7 }, { ...picture, type: [] }])
      expect((await browser.json('POST', `${path}/picture`, { picture: odd })).status).toBe(422);
  });
});
