import { ApiError, ConnectionError, FrontdeskError } from '../errors.ts';
import { plain } from './terminal.ts';

export const EXIT_DONE = 0;
export const EXIT_FAILED = 1;
export const EXIT_WRONG_USE = 2;

/** The command can't be carried out as it was given; the message says how it can. */
export class WrongUse extends Error {}

/** The command was right, and failed; the message says what to do. */
export class Failed extends Error {}

/** The line for people, and the exit code. */
export function explain(error: unknown): { line: string; exitCode: number } {
  if (error instanceof WrongUse) return { line: error.message, exitCode: EXIT_WRONG_USE };
  if (error instanceof ApiError) {
    const { line, exitCode } = explainAnswer(error);
    return { line: plain(line), exitCode };
  }
  if (error instanceof ConnectionError)
    return {
      line: `${plain(error.message)}. Is FRONTDESK_URL (or --url) right, and does Frontdesk run there?`,
      exitCode: EXIT_FAILED,
    };
  // Wrong options: nothing else throws the class itself.
  if (error instanceof FrontdeskError) return { line: error.message, exitCode: EXIT_WRONG_USE };
  // These are our own words, at times in several lines.
  if (error instanceof Failed) return { line: error.message, exitCode: EXIT_FAILED };
  return { line: plain(error instanceof Error ? error.message : String(error)), exitCode: EXIT_FAILED };
}

function explainAnswer(error: ApiError): { line: string; exitCode: number } {
  switch (error.code) {
    case 'unauthorized':
      return {
        line: 'The API key is refused. Set FRONTDESK_API_KEY to an active key: an admin makes keys in the settings.',
        exitCode: EXIT_FAILED,
      };
    case 'cursor_expired':
      return {
        line: `Events behind this cursor are no longer kept. --from oldest begins with the oldest event that there is (--from ${error.data.oldest_cursor} today); what came before it is in the lists alone.`,
        exitCode: EXIT_FAILED,
      };
    case 'invalid_cursor':
      return {
        line: '--from must be a cursor of this business’s feed, oldest or latest.',
        exitCode: EXIT_WRONG_USE,
      };
    case 'validation_failed': {
      // Of a Frontdesk that doesn't know the code of cursors yet.
      const isCursor = 'after' in error.errors;
      const line = isCursor
        ? '--from must be a cursor of this business’s feed, oldest or latest.'
        : [error.message, ...Object.values(error.errors).flat()].join(' ');
      return { line, exitCode: EXIT_WRONG_USE };
    }
    case 'not_found':
    case 'unexpected_answer':
      return {
        line: `${error.message} (status ${error.status}). Is FRONTDESK_URL (or --url) the address of Frontdesk?`,
        exitCode: EXIT_FAILED,
      };
    default:
      return { line: `${error.message} (${error.code})`, exitCode: EXIT_FAILED };
  }
}
