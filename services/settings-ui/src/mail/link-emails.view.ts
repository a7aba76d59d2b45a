import { type MemberRole, ROLE_WORDS } from '@frontdesk/contracts';
import type { Region } from '../region/region.rules.ts';
import type { ComposedEmail } from './email.rules.ts';
import { action, layoutEmail, named, paragraph, placeOf, timeText } from './email-layout.view.ts';

interface Link {
  url: string;
  /** An instant of RFC 3339. */
  expiresAt: string;
  region: Region;
}

const worksUntil = ({ region, expiresAt }: Link) =>
  paragraph(`The link works once, until ${timeText(region, expiresAt)}.`);

/** @param email.invitedBy the inviter's address */
export function invitationEmail(
  email: Link & { business: string; invitedBy: string; role: MemberRole; hasAccount: boolean },
): ComposedEmail {
  const { invitedBy, role, url, hasAccount, expiresAt } = email;
  const business = named(email.business);
  return layoutEmail({
    subject: `You’re invited to ${business}`,
    blocks: [
      paragraph(
        `${invitedBy} has invited you to join ${business} on Frontdesk. Your role: ${ROLE_WORDS[role].name}.`,
      ),
      paragraph(
        hasAccount
          ? 'You have an account already: sign in with it to join.'
          : 'Choose a password to join. After that you sign in with this email address.',
      ),
      action('Accept the invitation', url),
      worksUntil(email),
    ],
    reason: `If you don’t know ${invitedBy}, ignore this email: nothing happens without you.`,
    expiresAt,
  });
}

/** @param email.business null where the account has several */
export function resetEmail(email: Link & { business: string | null }): ComposedEmail {
  const { url, expiresAt } = email;
  const where = placeOf(email.business);
  return layoutEmail({
    subject: `Set a new password for ${where}`,
    blocks: [
      paragraph(`Somebody, hopefully you, asked for a new password for your account at ${where}.`),
      action('Set a new password', url),
      worksUntil(email),
    ],
    reason: 'If it wasn’t you, ignore this email: your password stays as it is.',
    expiresAt,
  });
}

/** To the new address of an account. @param email.current the address that it has */
export function addressLinkEmail(
  email: Link & { current: string; recipient: string; business: string | null },
): ComposedEmail {
  const { current, recipient, url, expiresAt } = email;
  const where = placeOf(email.business);
  return layoutEmail({
    subject: `Confirm your new email address for ${where}`,
    blocks: [
      paragraph(`${current} asked to sign in to ${where} with ${recipient} from now on.`),
      action('Confirm this address', url),
      worksUntil(email),
    ],
    reason: `If you don’t know ${current}, ignore this email: nothing happens without you.`,
    expiresAt,
  });
}

/** To the new address of an account, where another account has it. */
export function addressTakenEmail(email: {
  current: string;
  recipient: string;
  business: string | null;
}): ComposedEmail {
  const { current, recipient } = email;
  const where = placeOf(email.business);
  return layoutEmail({
    subject: `This address already has an account at ${where}`,
    blocks: [
      paragraph(`${current} asked to sign in with ${recipient} from now on.`),
      paragraph(
        'That address has an account of its own, and an address belongs to one account. Nothing was changed.',
      ),
    ],
    reason: `If you don’t know ${current}, ignore this email. Nobody has got into your account.`,
  });
}
