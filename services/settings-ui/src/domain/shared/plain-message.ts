import { capitalised } from './words.ts';

const NAMED_FIELD = /^The (\S+) field /;
/** A field's name within a sentence; not a part of an address. */
const RAW_NAME = /(?<![/@.])\b[a-z0-9]+(?:_[a-z0-9]+)+\b(?!@)/g;

/** `settings.vapi.signature_header` → `Signature header`. */
const wordsOf = (name: string): string => {
  const parts = name.split('.').filter((part) => !/^\d+$/.test(part));
  return capitalised((parts.at(-1) ?? name).replaceAll('_', ' '));
};

/**
 * A refusal as a page says it. Programs get the field's name, `The new_password field must …`; people its label,
 * `New password must …`, or its name in words where no label is known.
 */
export const plainMessage = (message: string, label?: string): string =>
  message
    .replace(NAMED_FIELD, (_match, name: string) => `${label ?? wordsOf(name)} `)
    .replaceAll(RAW_NAME, (name) => name.replaceAll('_', ' '));
