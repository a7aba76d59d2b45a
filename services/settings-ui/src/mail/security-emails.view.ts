import { ROLE_WORDS } from '@frontdesk/contracts';
import type { Region } from '../region/region.rules.ts';
import { plural } from '../region/words.rules.ts';
import type { ComposedEmail, EmailToCompose, Occurrence, SecurityKind } from './email.rules.ts';
import { action, facts, layoutEmail, named, paragraph, placeOf, timeText } from './email-layout.view.ts';

interface Context {
  /** Its name; null where it is unknown, or the email belongs to no one business. */
  business: string | null;
  region: Region;
  settingsUrl: string;
}

/** `where`: the business's name within a sentence, or Frontdesk's. */
type WordsContext = Context & { where: string };
type Rows = [name: string, value: string][];

/** The words of a kind, for one occurrence or several. */
interface Words<Kind extends SecurityKind> {
  subject: (newest: Occurrence<Kind>, count: number, context: WordsContext) => string;
  lead: (email: EmailToCompose<Kind>, context: WordsContext) => string;
  rows: (occurrence: Occurrence<Kind>) => Rows;
  /** What its time is called. */
  when?: string;
  advice: string;
  action: (newest: Occurrence<Kind>) => [label: string, path: string];
}

const PEOPLE = '/settings/people';
const ACCOUNT = '/settings/account';

const PASSWORD_SET: Record<Occurrence<'password_changed'>['by'], string> = {
  session: 'By somebody who was signed in',
  link: 'With a link that was sent to you',
  operator: 'By the operator of Frontdesk',
};

const WORDS: { [Kind in SecurityKind]: Words<Kind> } = {
  new_device: {
    subject: (_newest, count, { where, region }) =>
      count === 1 ? `New sign-in to ${where}` : `${plural(region, count, 'new sign-in')} to ${where}`,
    lead: ({ recipient, count }) =>
      count === 1
        ? `Somebody signed in as ${recipient} on a device that was not used before.`
        : `Somebody signed in as ${recipient} on devices that were not used before.`,
    rows: ({ device, network }) => [
      ['Device', device],
      ['From', network],
    ],
    advice:
      'If that was you, there is nothing to do. If not, change your password now, and end all other sessions.',
    action: () => ['Review your account', ACCOUNT],
  },
  new_key: {
    subject: (_newest, count, { where, region }) =>
      count === 1 ? `New API key for ${where}` : `${plural(region, count, 'new API key')} for ${where}`,
    lead: (_email, { where }) =>
      `With an API key, programs use the records of ${where}. The page of the key says what it may do.`,
    rows: ({ name, by }) => [
      ['Key', name],
      ['Created by', by],
    ],
    advice: 'If you don’t expect that, ask who created it, or revoke the key: it stops working at once.',
    action: () => ['Review the API keys', '/settings/api'],
  },
  key_asked: {
    subject: (_newest, count, { where, region }) =>
      count === 1
        ? `A new API key for ${where} may have been created`
        : `${plural(region, count, 'new API key')} for ${where} may have been created`,
    lead: (_email, { where }) =>
      `We don’t know whether it was created. With an API key, programs use the records of ${where}.`,
    rows: ({ name, by }) => [
      ['Key', name],
      ['Asked for by', by],
    ],
    advice:
      'Look whether it is among the API keys. If you don’t expect that, revoke it: it stops working at once.',
    action: () => ['Review the API keys', '/settings/api'],
  },
  key_expires: {
    subject: (_newest, count, { where, region }) =>
      count === 1
        ? `An API key of ${where} expires soon`
        : `${plural(region, count, 'API key')} of ${where} expire soon`,
    lead: () => 'After that, requests with this key are refused, and the program that uses it stops working.',
    rows: ({ name }) => [['Key', name]],
    when: 'Expires',
    advice:
      'If the program is still needed, open the key, and set a later date or replace it. If not, there is nothing to do.',
    action: () => ['Open the API keys', '/settings/api'],
  },
  key_leaked: {
    subject: (_newest, count, { where, region }) =>
      count === 1
        ? `A leaked API key of ${where} was revoked`
        : `${plural(region, count, 'leaked API key')} of ${where} were revoked`,
    lead: () =>
      'It was found where strangers could read it, for example in public source code. So it was revoked: nobody can use it any more, and the program that used it is refused.',
    rows: ({ name, by }) => [
      ['Key', name],
      ['Revoked by', by],
    ],
    advice:
      'Create a new key for the program, and keep it out of source code. Remove the old one from where it was found. Look at the requests on its page, and at your appointments and customers: somebody else may have used it.',
    action: () => ['Open the API keys', '/settings/api'],
  },
  new_member: {
    subject: ({ email }, count, { where, region }) =>
      count === 1
        ? `${named(email)} has joined ${where}`
        : `${plural(region, count, 'person', 'people')} have joined ${where}`,
    lead: (_email, { where }) =>
      `They can now use ${where} in Frontdesk. Their role decides what they can see and change.`,
    rows: ({ email, role, invited_by }) => [
      ['Joined', email],
      ...(role === undefined ? [] : ([['Role', ROLE_WORDS[role].name]] satisfies Rows)),
      ...(invited_by === null ? [] : ([['Invited by', invited_by]] satisfies Rows)),
    ],
    advice: 'If you don’t expect that, remove them: they are signed out at once.',
    action: () => ['Review who has access', PEOPLE],
  },
  password_changed: {
    subject: (_newest, count, { where, region }) =>
      count === 1
        ? `Your password for ${where} was changed`
        : `Your password for ${where} was changed ${plural(region, count, 'time')}`,
    lead: ({ recipient }) => `It is the password of the account ${recipient}.`,
    rows: ({ by }) => [['How', PASSWORD_SET[by]]],
    advice: 'If that was you, there is nothing to do. If not, set a new password now.',
    action: () => ['Set a new password', '/settings/forgot'],
  },
  address_asked: {
    subject: (_newest, count, { where, region }) =>
      count === 1
        ? `A new email address for ${where} was asked for`
        : `A new email address for ${where} was asked for ${plural(region, count, 'time')}`,
    lead: ({ recipient }) =>
      `Somebody who is signed in as ${recipient} wants to sign in with another address from now on. Nothing is changed yet.`,
    rows: ({ to }) => [['New address', to]],
    advice:
      'If that was you, open the link that we sent there. If not, set a new password now: the link is void then.',
    action: () => ['Set a new password', '/settings/forgot'],
  },
  address_changed: {
    subject: (_newest, count, { where, region }) =>
      count === 1
        ? `Your email address for ${where} was changed`
        : `Your email address for ${where} was changed ${plural(region, count, 'time')}`,
    lead: () => 'From now on you sign in with the new address, and get all emails there.',
    rows: ({ from, to }) => [
      ['Earlier address', from],
      ['New address', to],
    ],
    advice:
      'If you didn’t do that, somebody else has your account. Ask a colleague to remove it from your business at once.',
    action: () => ['Sign in', '/settings/sign-in'],
  },
  endpoint_disabled: {
    subject: (_newest, count, { where, region }) =>
      count === 1
        ? `A webhook endpoint of ${where} was disabled`
        : `Webhook endpoints of ${where} were disabled ${plural(region, count, 'time')}`,
    lead: () =>
      'Deliveries kept failing, so nothing is sent there any more. Events are kept, and can be sent later.',
    rows: ({ url }) => [['Endpoint', url]],
    advice: 'Have a look at the latest failures, mend the receiver, and resume the endpoint.',
    action: () => ['Open the endpoints', '/settings/api'],
  },
};

/** One email about all occurrences of an hour, the newest first. */
export function securityEmail<Kind extends SecurityKind>(
  email: EmailToCompose<Kind>,
  context: Context,
): ComposedEmail {
  const words: Words<Kind> = WORDS[email.kind];
  const where = placeOf(context.business);
  const wordsContext = { ...context, where };
  const shown = email.details.toReversed();
  const [newest] = shown;
  if (!newest) throw new Error('An email has an occurrence.');
  const left = email.count - shown.length;
  const [label, path] = words.action(newest);
  return layoutEmail({
    subject: words.subject(newest, email.count, wordsContext),
    blocks: [
      paragraph(words.lead(email, wordsContext)),
      ...shown.map((each) =>
        facts([...words.rows(each), [words.when ?? 'When', timeText(context.region, each.at)]]),
      ),
      ...(left > 0 ? [paragraph(`And ${plural(context.region, left, 'time')} before that.`)] : []),
      paragraph(words.advice),
      action(label, `${context.settingsUrl}${path}`),
    ],
    reason: `You get this email because ${email.recipient} has access to ${where}. It is sent whenever that happens, once an hour at most.`,
  });
}
