/**
 * Every statement here goes through an index: reading all rows is right for none, and the other plans are too short to be
 * worth compiling, however many rows they might read.
 */
export const SESSION_SETTINGS = { enable_seqscan: 'off', jit: 'off' } as const;
