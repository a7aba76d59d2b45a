import { patchToJson } from './call-patch.ts';
import { type CallFacts, type CallPatch, STAGES } from './call-provider.ts';

/** All that the messages of one call tell about it. */
export interface FoldedCall {
  facts: CallFacts;
  /** Whether it is known to have ended, and in which direction it went: what a call that is listed needs. */
  isComplete: boolean;
  /** Whether a message said that it is all there will be. */
  isFinal: boolean;
  isAnalysed: boolean;
}

/** A pure function of the set of patches: their order and repetition don't matter. */
export function foldCall(patches: readonly CallPatch[]): FoldedCall {
  const facts: CallFacts = {};
  for (const patch of inOrderOfKnowledge(patches)) Object.assign(facts, tellingFacts(patch.facts, facts));
  const has = (stage: CallPatch['stage']) => patches.some((patch) => patch.stage === stage);
  return {
    facts,
    isComplete: (has('ended') || (has('analysed') && isLengthKnown(facts))) && facts.direction !== undefined,
    isFinal: patches.some((patch) => patch.isFinal),
    isAnalysed: has('analysed'),
  };
}

/** An analysis that overtook the message about the end: without its length the call would pass for missed. */
const isLengthKnown = ({ durationSeconds, startedAt, endedAt }: CallFacts) =>
  durationSeconds !== undefined || (startedAt !== undefined && endedAt !== undefined);

/** What knows most comes last. Of two at the same stage the text decides: arbitrary, but always the same. */
function inOrderOfKnowledge(patches: readonly CallPatch[]): CallPatch[] {
  return patches
    .map((patch) => ({ patch, stage: STAGES.indexOf(patch.stage), text: canonicalText(patch) }))
    .sort((a, b) => a.stage - b.stage || (a.text < b.text ? -1 : Number(a.text > b.text)))
    .map(({ patch }) => patch);
}

/** Its fields come in the order of the stored form, wherever the patch is from. */
const canonicalText = (patch: CallPatch) => JSON.stringify(patchToJson(patch));

/** The facts that say something: a field left empty, or a transcript with less in it, overrides nothing. */
function tellingFacts(facts: CallFacts, known: CallFacts): CallFacts {
  const telling = Object.entries(facts).filter(
    ([name, value]) => value !== undefined && value !== null && !isPoorer(name, value, known),
  );
  return Object.fromEntries(telling);
}

function isPoorer(name: string, value: NonNullable<unknown>, known: CallFacts): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (name === 'transcript')
    return (value as unknown[]).length === 0 || spoken(value as Transcript) < spoken(known.transcript);
  return false;
}

type Transcript = CallFacts['transcript'];

const spoken = (transcript: Transcript) =>
  (transcript ?? []).reduce((characters, { text }) => characters + text.length, 0);
