import { randomInt } from 'node:crypto';
import type { FieldFault } from '@frontdesk/contracts';
import { invalid, type SecretBox } from '@frontdesk/service';
import { PROVIDERS } from '../providers/providers.rules.ts';
import type { CallSourceRow } from './call-source.rules.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TOKEN_LENGTH = 40;

/** The part of an ingest address that leads to a source: nobody guesses it. */
export const newToken = () => Array.from({ length: TOKEN_LENGTH }, () => BASE62[randomInt(62)]).join('');

const NO_SECRET: FieldFault = {
  text: 'The secret field is required: the provider sets it.',
  reason: 'provider_sets_secret',
};

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
  if (secret === null) throw invalid({ secret: [NO_SECRET] });
  const fault = provider.secretFault?.(secret);
  if (fault) throw invalid({ secret: [fault] });
  return {
    sealed_secret: resealedSecret(secrets, source, secret),
    secret_last_four: secret.slice(-4),
  };
}

/** The secret under the present key. */
export const resealedSecret = (
  secrets: SecretBox,
  source: Pick<CallSourceRow, 'tenant_id' | 'token'>,
  secret: string,
) => secrets.seal(secret, sealingContext(source));

export const openedSecret = (
  secrets: SecretBox,
  source: Pick<CallSourceRow, 'tenant_id' | 'token' | 'sealed_secret'>,
) => secrets.open(source.sealed_secret, sealingContext(source));
