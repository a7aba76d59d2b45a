import type { SecretBox } from '@frontdesk/service';
import type { ComposedEmail } from './email.rules.ts';

const contextOf = (id: number) => `email:${id}`;

/** A composed email as the row keeps it: readers of the table learn no link. */
export const sealEmail = (secrets: SecretBox, id: number, email: ComposedEmail): string =>
  secrets.seal(JSON.stringify(email), contextOf(id));

/** @throws SecretBoxError where its key is missing */
export const openEmail = (secrets: SecretBox, id: number, sealed: string): ComposedEmail =>
  JSON.parse(secrets.open(sealed, contextOf(id)));
