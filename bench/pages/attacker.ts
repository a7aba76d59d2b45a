import { Pool } from 'undici';
import type { DemoTenant } from '../../scripts/seed/index.ts';
import { answerQuestions } from '../support/helper-process.ts';
import { type Session, signIn } from './session.ts';

/**
 * One admin who would harm all others, in a process of its own, so that its clients cost the measuring one nothing. Signs in and answers
 * with the attacks' names; begins one of them; ends it and answers how many requests got which status.
 */
export type AttackerQuestion =
  | { kind: 'signIn'; settingsUi: string; admin: DemoTenant['admin']; sourceId: number }
  | { kind: 'begin'; attack: string }
  | { kind: 'end' };

interface Attack {
  clients: number;
  once: (session: Session, n: number) => Promise<{ status: number }>;
}

const attacksOn = (sourceId: number): Record<string, Attack> => ({
  'changes by pages': {
    clients: 20,
    once: (session, n) =>
      session.post('/settings/customers/new', { name: `Filling ${n}`, phone: `+4930${10_000_000 + n}` }),
  },
  'live streams': { clients: 100, once: (session) => session.open('/settings/calls/live') },
  'one-time forms': {
    clients: 20,
    async once(session, n) {
      const path = `/settings/calls/sources/${sourceId}`;
      const shown = await session.page(path);
      const [, form_token] = /name="form_token" value="([^"]+)"/.exec(shown.text) ?? [];
      if (!form_token) return shown;
      return session.post(`${path}/test?n=${n}`, { from_number: '+49 30 901820', form_token });
    },
  },
});

/** Over all attacks: no two requests name the same customer. */
let n = 0;
let session: Session | undefined;
let attacks: Record<string, Attack> = {};
let end: (() => Promise<string>) | undefined;

/** Each client begins anew at once. Returns what ends it and tells how many got which status. */
function begin({ clients, once }: Attack, by: Session): () => Promise<string> {
  let isOver = false;
  const statuses = new Map<number, number>();
  const client = async () => {
    while (!isOver) {
      n += 1;
      const { status } = await once(by, n).catch(() => ({ status: 0 }));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const all = Array.from({ length: clients }, client);
  return async () => {
    isOver = true;
    await Promise.all(all);
    return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  };
}

answerQuestions<AttackerQuestion>(async (question) => {
  if (question.kind === 'signIn') {
    session = await signIn(new Pool(question.settingsUi, { connections: 128 }), question.admin);
    attacks = attacksOn(question.sourceId);
    return Object.keys(attacks);
  }
  if (question.kind === 'end') return end?.();
  const attack = attacks[question.attack];
  if (!attack || !session) throw new Error(`There is no attack ${question.attack}.`);
  end = begin(attack, session);
  return null;
});
