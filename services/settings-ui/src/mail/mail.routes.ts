import { settingsRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, notFound, ok, page, route, type SecretBox } from '@frontdesk/service';
import { type EmailListRow, findEmail, readEmails } from './email-list.repository.ts';
import { openEmail } from './seal-email.rules.ts';

const summaryOf = ({ made_at, due_at, sent_at, failed_at, ...row }: EmailListRow) => ({
  ...row,
  made_at: made_at.toISOString(),
  due_at: due_at.toISOString(),
  sent_at: sent_at?.toISOString() ?? null,
  failed_at: failed_at?.toISOString() ?? null,
});

/** Emails, for operators, who hand the links over where there is no mail server. */
export function mailRoutes(
  app: App,
  { database, secrets }: { database: Database; secrets: SecretBox },
): void {
  route(app, settingsRoutes.listEmails, async ({ query }) => {
    const { rows, total } = await readEmails(database.system, query);
    return page(rows.map(summaryOf), { ...query, total });
  });

  route(app, settingsRoutes.getEmail, async ({ params, identity, log }) => {
    const found = await findEmail(database.system, params.id);
    if (!found) throw notFound('Email');
    const { sealed, ...row } = found;
    const text = sealed === null ? null : textOf(secrets, row.id, sealed);
    // It may have a link that lets its reader in.
    if (text !== null) log.info({ email_id: row.id, actor: identity.actor }, 'an operator has read an email');
    return ok({ ...summaryOf(row), text });
  });
}

/** Null where its key is missing. */
function textOf(secrets: SecretBox, id: number, sealed: string): string | null {
  try {
    return openEmail(secrets, id, sealed).text;
  } catch {
    return null;
  }
}
