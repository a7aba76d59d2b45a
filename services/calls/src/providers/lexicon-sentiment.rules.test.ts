import type { Utterance } from '@frontdesk/contracts';
import { classifySentiment } from './lexicon-sentiment.rules.ts';

const said = (role: Utterance['role'], ...texts: string[]): Utterance[] =>
  texts.map((text) => ({ role, text, start: null, end: null }));

describe('classifySentiment', () => {
  it.each([
    [
      'negative',
      [
        "Hi, it's about my appointment yesterday.",
        'I waited forty minutes and nobody apologised, it was really disappointing.',
        "I'm not happy with the result at all, and I want my money back.",
      ],
    ],
    [
      'negative',
      [
        'This is the third time that you moved it, I am so annoyed.',
        'Fine. Just cancel it, this is a terrible service.',
      ],
    ],
    [
      'positive',
      [
        "I'd like to book a massage for Saturday, please.",
        'Oh that is wonderful, ten is perfect for me.',
        'Thank you so much, you have been great!',
      ],
    ],
    [
      'neutral',
      [
        "Hello, I'd like to make an appointment for a check-up, please.",
        'Do you have anything on Tuesday or on Wednesday in the afternoon?',
        'Yes, three works. My number is five five five, zero one two three.',
      ],
    ],
    [
      'neutral',
      ['I need to cancel my appointment tomorrow.', 'No, I will call you when I know about the next week.'],
    ],
  ])('seesTranscripts %s in what the customer says', (expected, texts) => {
    expect(classifySentiment(said('customer', ...texts))).toBe(expected);
  });

  it('counts the customer’s words alone', () => {
    const agent = said(
      'agent',
      'This is wonderful, great, perfect and lovely, thank you so much for that, my dear.',
    );
    expect(classifySentiment(agent)).toBeNull();
  });

  it.each([
    ['too few words', ['Thank you, great.']],
    [
      'another language',
      ['Ich möchte die Zeit am Freitag ändern, die war gut, die andere war nicht so gut für mich.'],
    ],
    ['nothing', []],
  ])('says nothing about %s', (_what, texts) => {
    expect(classifySentiment(said('customer', ...texts))).toBeNull();
  });

  it('weighs a bounded part, whatever a call holds: the beginnings of the last utterances', () => {
    const [good, bad] = [
      'This is the best that I have had, great. ',
      'This is the worst that I have had, awful. ',
    ];
    const long = good.repeat(15) + bad.repeat(500);
    expect(classifySentiment(said('customer', ...Array<string>(5_000).fill(bad)))).toBe('negative');
    const [earlier, latest] = [Array<string>(5_000).fill(bad), Array<string>(200).fill(long)];
    expect(classifySentiment(said('customer', ...earlier, ...latest))).toBe('positive');
  });
});
