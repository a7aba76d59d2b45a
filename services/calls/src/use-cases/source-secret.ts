import { randomInt } from 'node:crypto';
import { invalid, type SecretBox } from '@frontdesk/service';
import type { CallSourceRow } from '../domain/call-source.ts';
import { PROVIDERS } from '../domain/providers/index.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TOKEN_LENGTH = 40;

/** The part of an ingest address that leads to a source: nobody guesses it. */
export const newToken = () => Array.from({ length: TOKEN_LENGTH }, () => BASE62[randomInt(62)]).join('');

/** What a secret is sealed for, so that it opens in no other source's place. */
const sealingContext = ({ tenant_id, token }: Pick<CallSourceRow, 'tenant_id' | 'token'>) =>
  `${tenant_id}:${token}`;

/**
 * The columns of a source's new secret: the one given, else one of our own.
 * @throws AppError `validation_failed` where the provider dictates it and none is given, or it protects nothing
 */
export function sealedSecret(
  secrets: SecretBox,
  source: Pick<CallSourceRow, 'tenant_id' | 'token' | 'provider'>,
  given: string | null | undefined,
): Pick<CallSourceRow, 'sealed_secret' | 'secret_last_four'> {
  const provider = PROVIDERS[source.provider];
  const secret = given ?? provider.createSecret();
  if (secret === null) throw invalid({ secret: ['The secret field is required: the provider sets it.'] });
  const fault = provider.secretFault?.(secret);
  if (fault) throw invalid({ secret: [fault] });
  return {
    sealed_secret: secrets.seal(secret, sealingContext(source)),
    secret_last_four: secret.slice(-4),
  };
}

export const openedSecret = (
  secrets: SecretBox,
  source: Pick<CallSourceRow, 'tenant_id' | 'token' | 'sealed_secret'>,
) => secrets.open(source.sealed_secret, sealingContext(source));
