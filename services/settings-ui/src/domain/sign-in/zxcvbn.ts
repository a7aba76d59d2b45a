import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** What comes behind is not looked at: the work grows with the square of the length. */
const MAX_JUDGED = 64;

/** Guesses passwords. Its dictionaries take 30 MB, so it is imported when the first password is judged. */
export const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_JUDGED });
