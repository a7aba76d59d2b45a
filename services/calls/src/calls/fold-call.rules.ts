import { patchFromJson, patchToJson, type StoredPatch } from '../providers/call-patch.rules.ts';
import { type CallFacts, type CallPatch, STAGES } from '../providers/call-provider.rules.ts';

/** Everything that the messages of one call state about it, but for the spoken text. */
export interface FoldedCall {
  facts: CallFacts;
  /** Whether it is known to have ended, and in which direction it went: what a call that is listed needs. */
  isComplete: boolean;
  /** Whether there is no more to wait for: a message said that it is all, or the analysis is there. */
  isSettled: boolean;
  /** Whether a message stated its length, or that nobody was reached: without that its 0 seconds are a guess. */
  isLengthKnown: boolean;
}

/** A pure function of the set of patches: their order and repetition don't matter. */
export function foldCall(patches: readonly CallPatch[]): FoldedCall {
  const facts: CallFacts = {};
  for (const patch of inOrderOfKnowledge(patches)) Object.assign(facts, factsOfExtracted(patch.facts));
  const has = (stage: CallPatch['stage']) => patches.some((patch) => patch.stage === stage);
  const isLengthKnown = hasLength(facts);
  return {
    facts,
    // An analysis that overtook the message about the end: without its length the call would pass for missed.
    isComplete: (has('ended') || (has('analysed') && isLengthKnown)) && facts.direction !== undefined,
    isSettled: has('analysed') || patches.some((patch) => patch.isFinal),
    isLengthKnown: isLengthKnown || facts.outcome === 'no_answer' || facts.outcome === 'failed',
  };
}

/**
 * The two as one. Progress of a call is kept as one patch, however many messages report it: of two values the one whose
 * text sorts first stays, so of two times the earlier one, whichever came first.
 */
export function mergeProgress(one: CallPatch, other: CallPatch): CallPatch {
  const [facts, others] = [one, other].map(
    (patch) => patchToJson({ ...patch, facts: factsOfExtracted(patch.facts) }).facts,
  );
  const merged = { ...facts, ...others };
  for (const name of Object.keys(facts ?? {}) as (keyof StoredPatch['facts'])[]) {
    const [value, text] = [facts?.[name], JSON.stringify(facts?.[name])];
    if (value !== undefined && text <= JSON.stringify(merged[name])) Object.assign(merged, { [name]: value });
  }
  return patchFromJson({ stage: 'progress', isFinal: false, facts: merged });
}

const hasLength = ({ durationSeconds, startedAt, endedAt }: CallFacts) =>
  durationSeconds !== undefined || (startedAt !== undefined && endedAt !== undefined);

/** What knows most comes last. Of two at the same stage the text decides: arbitrary, but always the same. */
function inOrderOfKnowledge(patches: readonly CallPatch[]): CallPatch[] {
  const progress = patches.filter(({ stage }) => stage === 'progress');
  const merged = progress.length > 0 ? [progress.reduce(mergeProgress)] : [];
  const others = patches.filter(({ stage }) => stage !== 'progress');
  return [...merged, ...others]
    .map((patch) => ({ patch, stage: STAGES.indexOf(patch.stage), text: canonicalText(patch) }))
    .sort((a, b) => a.stage - b.stage || (a.text < b.text ? -1 : Number(a.text > b.text)))
    .map(({ patch }) => patch);
}

/** Its fields come in the order of the stored form, wherever the patch is from. */
const canonicalText = (patch: CallPatch) => JSON.stringify(patchToJson(patch));

/** The facts that say something: an empty field overrides nothing. The spoken text is kept separately. */
function factsOfExtracted(facts: CallFacts): CallFacts {
  const stated = Object.entries(facts).filter(
    ([name, value]) => name !== 'transcript' && value !== undefined && value !== null && !isBlank(value),
  );
  return Object.fromEntries(stated);
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';
