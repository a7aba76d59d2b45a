import { EMAIL_STATES, settingsRoutes as routes } from '@frontdesk/contracts';
import { type Command, Option } from 'commander';
import { requestTo } from '../clients.ts';
import { type CommonOptions, idArgument, queryOf, verb } from '../options.ts';
import { printRecord, printTable } from '../output.ts';

const request = requestTo('settings-ui');
const COLUMNS = [
  'id',
  'state',
  'kind',
  'recipient',
  'tenant_id',
  'subject',
  'made_at',
  'attempts',
  'last_error',
];
const SHOWN_ERROR_CHARACTERS = 80;

interface ListOptions extends CommonOptions {
  state?: string;
  limit: string;
}

export function mailCommands(program: Command): void {
  const mail = program.command('mail').description('emails to the people who sign in to the settings');

  verb(mail, 'list', 'emails, newest first, without their texts')
    .addOption(new Option('--state <state>', 'only these').choices(EMAIL_STATES))
    .option('--limit <count>', 'so many at most, up to 100', '20')
    .action(async ({ state, limit, json }: ListOptions) => {
      const emails = await request(routes.listEmails, { query: queryOf({ per_page: limit, state }) });
      printTable(json ? emails : emails.map(inOneLine), COLUMNS, { json });
    });

  verb(mail, 'show', 'one email that was not sent, with its text and the link in it')
    .addArgument(idArgument())
    .action(async (id: number, { json }: CommonOptions) => {
      const { text, ...email } = await request(routes.getEmail, { id });
      if (json) return printRecord({ ...email, text }, { json });
      printRecord(email, { json });
      console.log(`\n${text ?? WITHOUT_TEXT[email.state]}`);
    });
}

const WITHOUT_TEXT = {
  waiting: '(not written yet, or its key is missing)',
  sent: '(sent: its text is not kept)',
  failed: '(no text)',
};

/** A server may say much: `show` prints all of it. */
function inOneLine<Row extends { last_error: string | null }>(row: Row): Row {
  const error = row.last_error;
  if (error === null || error.length <= SHOWN_ERROR_CHARACTERS) return row;
  return { ...row, last_error: `${error.slice(0, SHOWN_ERROR_CHARACTERS)}…` };
}
