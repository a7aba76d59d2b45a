import fc from 'fast-check';
import { asMessage, changedFixture, fixturePaths, providerOf, readFixture } from '../../fixtures/index.ts';
import { callColumns } from '../calls/call-columns.rules.ts';
import { foldCall } from '../calls/fold-call.rules.ts';
import { patchFromJson, patchToJson } from '../providers/call-patch.rules.ts';
import { type RawMessage, UnreadableMessage } from '../providers/call-provider.rules.ts';
import { PROVIDERS } from '../providers/providers.rules.ts';
import { statedTranscript } from '../providers/transcript-choice.rules.ts';

const NESTED = '['.repeat(5_000) + ']'.repeat(5_000);
const JUNK = [
  'null',
  'true',
  '0',
  '-1',
  '1e308',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '[]',
  '{}',
  '[null,1,[]]',
].concat(
  '"constructor"',
  '"__proto__"',
  '{"__proto__":{"text":"x"}}',
  '"+275760-09-13T00:00:00.001Z"',
  '1772460136300000000',
  `"${'x'.repeat(5_000)}"`,
  NESTED,
);

const FORM_JUNK = [
  '',
  '\0',
  '-1',
  '1e9',
  '9'.repeat(400),
  'constructor',
  '%',
  '\ufffd',
  'x'.repeat(5_000),
  '{}',
  'null',
];

const FIXTURES = fixturePaths();
const JSON_FIXTURES = FIXTURES.filter((path) => path.endsWith('.json'));
const FORM_FIXTURES = FIXTURES.filter((path) => path.endsWith('.form'));

/** Either it is read, into what can be stored and made a record of, or it is unreadable and says so. */
function expectReadableOrNot(path: string, message: RawMessage): void {
  try {
    const parsed = PROVIDERS[providerOf(path)].parse(message);
    if (parsed.kind === 'ignored') return;
    const stated = statedTranscript(parsed.patch);
    const stored = JSON.stringify(patchToJson(parsed.patch));
    expect(JSON.stringify(stated)).not.toMatch(/\\u0000|\\ud[89a-f]/);
    expect(stored).not.toMatch(/\\u0000|\\ud[89a-f]/);
    const { facts } = foldCall([patchFromJson(JSON.parse(stored))]);
    const columns = callColumns(facts, {
      endToldAt: message.receivedAt,
      lexiconSentiment: stated?.sentiment ?? null,
    });
    expect(columns.started_at.getTime()).toBeLessThanOrEqual(columns.ended_at.getTime());
    expect(columns.duration_seconds).toBeGreaterThanOrEqual(0);
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableMessage);
    expect((error as Error).message).not.toMatch(/\d{5}/);
  }
}

describe('a hostile message', () => {
  it.each(JSON_FIXTURES)(
    'made of %s, any value replaced, is readable or unreadable, never a fault',
    (path) => {
      const body = readFixture(path).body.toString();
      const values = [...body.matchAll(/(?<=": )("(?:[^"\\]|\\.)*"|[\d.]+|true|false|null|\[\]|\{\})/g)];
      for (const { index, 0: value } of values) {
        for (const junk of JUNK) {
          const changed = body.slice(0, index) + junk + body.slice(index + value.length);
          expectReadableOrNot(path, asMessage(changed));
        }
      }
    },
  );

  it.each(FORM_FIXTURES)(
    'made of %s, any value replaced, is readable or unreadable, never a fault',
    (path) => {
      for (const name of new URLSearchParams(readFixture(path).body.toString()).keys())
        for (const junk of FORM_JUNK)
          expectReadableOrNot(
            path,
            changedFixture<URLSearchParams>(path, (form) => form.set(name, junk)),
          );
    },
  );

  it.each(FIXTURES)('made of %s, cut anywhere, is readable or unreadable, never a fault', (path) => {
    const { body, contentType } = readFixture(path);
    fc.assert(
      fc.property(fc.nat(body.length), (length) => {
        expectReadableOrNot(path, asMessage(body.subarray(0, length), contentType));
      }),
    );
  });

  it.each(FIXTURES)('of bytes at random in the place of %s is readable or unreadable', (path) => {
    const { contentType } = readFixture(path);
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from)), (body) => {
        expectReadableOrNot(path, asMessage(Buffer.from(body), contentType));
      }),
    );
  });

  it('of millions of values is unreadable without being parsed', () => {
    const junk = asMessage(`{"event":"call_ended","call":{},"x":[${'[],'.repeat(1_700_000)}[]]}`);
    expect(() => PROVIDERS.retell.parse(junk)).toThrow('The message holds more than 1,000,000 values.');
  });

  // Work that grew faster than the message would not end.
  it('of 5 MiB in millions of items is readable or unreadable, too', () => {
    const items = (item: string) =>
      Array(Math.floor((5 * 2 ** 20) / (item.length + 1)))
        .fill(item)
        .join(',');
    const call = '"call_id":"call_1","direction":"inbound"';
    for (const item of ['0', '{}', '{"role":"user","content":"a"}'])
      expectReadableOrNot(
        'retell/call-ended.json',
        asMessage(`{"event":"call_ended","call":{${call},"transcript_object":[${items(item)}]}}`),
      );
  });
});
