import {
  claimEmails,
  discardEmail,
  queueAccountEmail,
  queueEmail,
  queueToMembers,
} from '../../../../services/settings-ui/src/mail/email.repository.ts';
import { eventually, type MailServer, startMailServer } from '../../../support/index.ts';
import { SETTINGS_URL, startMailWorld } from './mail-world.ts';

const ADA = 'ada@salon.example';
const BOB = 'bob@salon.example';

let world: Awaited<ReturnType<typeof startMailWorld>>;
let server: MailServer;
beforeAll(async () => {
  world = await startMailWorld();
  server = await startMailServer();
});
afterEach(async () => {
  await world.clear();
  server.messages.length = 0;
});
afterAll(async () => {
  await world.stop();
  await server.stop();
});

describe('security emails', () => {
  it('of 50 occurrences within an hour are two, which name them and their count', async () => {
    await world.startSender({ url: server.url });
    await world.newKey(7, [ADA], 'Key 1');
    const first = await server.waitFor(ADA);
    expect(first.subject).toBe('New API key for Salon Mitte');
    expect(first.text).toMatch(/Key: Key 1\n.*Created by: ada@salon\.example\n.*\(Europe\/Berlin\)/s);
    expect(first.link).toBe(`${SETTINGS_URL}/settings/api`);

    for (let number = 2; number <= 50; number += 1) await world.newKey(7, [ADA], `Key ${number}`);
    const waiting = (await world.all()).filter(({ is_composed }) => !is_composed);
    expect(waiting).toMatchObject([{ count: 49, details: { length: 20 } }]);
    expect(waiting[0]?.seconds_until_due).toBeGreaterThan(3_500);
    expect(waiting[0]?.seconds_until_due).toBeLessThan(3_601);

    await world.age(1);
    const second = await server.waitFor(ADA, ({ subject }) => subject !== first.subject);
    expect(second.subject).toBe('49 new API keys for Salon Mitte');
    expect(second.text.match(/Key: Key \d+/g)).toEqual(
      Array.from({ length: 20 }, (_, index) => `Key: Key ${50 - index}`),
    );
    expect(second.text).toContain('And 29 times before that.');
    expect(server.messages).toHaveLength(2);
  });

  it('are folded by recipient, kind and business alone', async () => {
    await world.newKey(7, [ADA, BOB, 'Ada@Salon.Example'], 'One');
    await world.newKey(7, [BOB], 'Two');
    await world.newKey(8, [ADA], 'Three');
    await queueEmail(world.database.forTenant(7), {
      kind: 'new_member',
      recipients: [ADA],
      details: { email: 'new@salon.example', invited_by: null },
    });
    for (const device of ['Chrome on Windows', 'Safari on macOS'])
      await queueAccountEmail(world.database.system, {
        kind: 'new_device',
        recipients: [ADA],
        details: { device, network: '203.0.113.0/24' },
        tenantId: 7,
      });
    const found = (await world.all()).map(
      ({ kind, recipient, count }) => `${kind} ${recipient.toLowerCase()} ${count}`,
    );
    expect(found.toSorted()).toEqual([
      `new_device ${ADA} 2`,
      `new_key ${ADA} 1`,
      `new_key ${ADA} 1`,
      `new_key ${BOB} 2`,
      `new_member ${ADA} 1`,
    ]);
  });

  it('to members are of their accounts: who has the address next gets none of them', async () => {
    const newKeyTo = (email: string, account_id: number) =>
      queueToMembers(world.database.forTenant(7), {
        kind: 'new_key',
        members: [{ email, account_id }],
        details: { name: 'Key', by: ADA },
      });
    await newKeyTo(ADA, 1);
    await newKeyTo(BOB, 1);
    await newKeyTo(ADA, 2);
    expect(await world.all()).toMatchObject([
      { recipient: ADA, account_id: 1, count: 2 },
      { recipient: ADA, account_id: 2, count: 1 },
    ]);
  });

  it('lose nothing that happens before one is discarded: it is looked at once more', async () => {
    const { system } = world.database;
    await world.newKey(7, [ADA], 'One');
    const [claimed] = await claimEmails(system, { leaseMs: 60_000, limit: 1, isSending: true });
    if (!claimed) throw new Error('There is no email.');
    await world.newKey(7, [ADA], 'Two');
    await discardEmail(system, claimed);
    const [again] = await claimEmails(system, { leaseMs: 60_000, limit: 1, isSending: true });
    expect(again).toMatchObject({ id: claimed.id, count: 2 });
    await discardEmail(system, again ?? claimed);
    expect(await world.all()).toEqual([]);
  });

  it('lose nothing that happens while one is composed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let composed = 0;
    await world.startSender({
      url: server.url,
      async compose({ details }) {
        composed += 1;
        if (composed === 1) await promise;
        const text = details.map((each) => ('name' in each ? each.name : '')).join(', ');
        return { subject: 'Keys', text, html: text, expiresAt: null };
      },
    });
    await world.newKey(7, [ADA], 'One');
    await eventually(() => expect(composed).toBe(1));
    await world.newKey(7, [ADA], 'Two');
    resolve();
    expect((await server.waitFor(ADA)).text.trim()).toBe('One, Two');
    await world.until(({ is_sent, count }) => is_sent && count === 2);
    expect(server.messages).toHaveLength(1);
  });

  it('go with what they tell of: nothing of a transaction that is undone', async () => {
    const undone = world.database.forTenant(7).transaction(async (tx) => {
      await queueEmail(tx, { kind: 'new_key', recipients: [ADA], details: { name: 'Undone', by: ADA } });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await world.all()).toEqual([]);
  });

  it('that could not be written for seven days, and failed, keep back nothing that happens afterwards', async () => {
    const compose = async () => Promise.reject(new Error('It can’t be written.'));
    const broken = await world.startSender({ url: server.url, compose });
    await world.newKey(7, [ADA], 'Lost');
    await world.until(({ last_error }) => last_error !== null);
    await world.age(7 * 24 + 1);
    await world.until(({ is_failed, is_composed }) => is_failed && !is_composed);
    await broken.stop();
    await world.newKey(7, [ADA], 'Next');
    await world.startSender({ url: server.url });
    expect((await server.waitFor(ADA)).text).toContain('Key: Next');
    expect((await world.all()).map(({ is_failed, is_sent }) => [is_failed, is_sent])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('that waited while no process ran for more than seven days are sent, with what happens on the day', async () => {
    await world.newKey(7, [ADA], 'Old');
    await world.age(8 * 24);
    await world.newKey(7, [ADA], 'New');
    await world.newKey(7, [BOB], 'Old');
    await world.age(8 * 24);
    await world.startSender({ url: server.url });
    expect((await server.waitFor(ADA)).text).toMatch(/Key: New\n[\s\S]*Key: Old\n/);
    await server.waitFor(BOB);
  });

  it('of many transactions at once, to the same people, all go in', async () => {
    const people = Array.from({ length: 12 }, (_, index) => `person-${index}@salon.example`);
    await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        world.newKey(7, index % 2 === 0 ? people : people.toReversed(), `Key ${index}`),
      ),
    );
    expect((await world.all()).map(({ count }) => count)).toEqual(people.map(() => 16));
  });
});

it('links are never folded: each was asked for', async () => {
  await world.reset(ADA);
  await world.reset(ADA);
  expect(await world.all()).toMatchObject([{ count: 1 }, { count: 1 }]);
});
