/** The part of vader-sentiment that is used; the package brings no types. */
declare module 'vader-sentiment' {
  const vader: {
    SentimentIntensityAnalyzer: {
      /** `compound` is the sum of the words' weights, from -1 (most negative) to 1. */
      polarity_scores(text: string): { pos: number; neu: number; neg: number; compound: number };
    };
  };
  export default vader;
}
