import type { CallFacts } from '../call-provider.ts';
import { at, known, lookUp, readScore, readText } from '../reading.ts';
import { statedFacts } from '../stated-facts.ts';

const MAX_OUTPUTS = 50;

/** What the assistant's analysis and structured outputs say under our own names, and how it rates the call. */
export function extractedFacts(report: unknown, artifact: unknown): CallFacts {
  const outputs = at(artifact, 'structuredOutputs');
  const results = Object.values(outputs && typeof outputs === 'object' ? outputs : {}).slice(0, MAX_OUTPUTS);
  return {
    ...known({ qualityScore: ratingOf(report) }),
    ...statedFacts(at(report, 'analysis', 'structuredData')),
    ...Object.assign({}, ...results.map(outputFacts)),
  };
}

/** `{name, result}`, where the result is an object of several fields, or the one that its name says. */
function outputFacts(output: unknown): CallFacts {
  const [name, result] = [readText(at(output, 'name'), 100), at(output, 'result')];
  return { ...statedFacts(name && { [name]: result }), ...statedFacts(result) };
}

const DESCRIPTIONS: Readonly<Record<string, number>> = { Excellent: 100, Good: 75, Fair: 50, Poor: 25 };

/** Vapi's success evaluation as a score from 0 to 100, for the rubrics that grade; the others pass or fail. */
function ratingOf(report: unknown): number | undefined {
  const given = at(report, 'analysis', 'successEvaluation');
  const rating = readText(typeof given === 'number' ? String(given) : given, 100) ?? '';
  const percent = /^(\d{1,3}(?:\.\d+)?) ?%$/.exec(rating)?.[1];
  if (percent !== undefined) return readScore(Number(percent));
  const rubric = at(report, 'assistant', 'analysisPlan', 'successEvaluationPlan', 'rubric');
  const grade = /^\d{1,3}(?:\.\d+)?$/.test(rating) ? Number(rating) : undefined;
  if (rubric === 'PercentageScale') return readScore(grade);
  if (rubric === 'NumericScale') return readScore(grade && grade * 10);
  return lookUp(DESCRIPTIONS, rating);
}
