import type { ComposedEmail } from './email.rules.ts';

/** What seals and opens texts; `context` is needed again to open one. */
interface Sealing {
  seal(text: string, context: string): string;
  open(sealed: string, context: string): string;
}

const contextOf = (id: number) => `email:${id}`;

/** A composed email as the row keeps it: who reads the table learns no link. */
export const sealEmail = (box: Pick<Sealing, 'seal'>, id: number, email: ComposedEmail): string =>
  box.seal(JSON.stringify(email), contextOf(id));

/** @throws SecretBoxError where its key is missing */
export const openEmail = (box: Pick<Sealing, 'open'>, id: number, sealed: string): ComposedEmail =>
  JSON.parse(box.open(sealed, contextOf(id)));
