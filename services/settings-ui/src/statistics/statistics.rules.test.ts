import { NO_REGION } from '../region/region.rules.ts';
import { shareText } from './statistics.rules.ts';

it.each([
  [1, 2, '50%'],
  [2, 3, '67%'],
  [998, 1_000, '99.8%'],
  [1, 200, '0.5%'],
  [0, 7, '0%'],
  [7, 7, '100%'],
  [999_999, 1_000_000, 'over 99.9%'],
  [1, 1_000_000, 'under 0.1%'],
])('%s of %s is %s', (part, whole, text) => {
  expect(shareText(NO_REGION, part, whole)).toBe(text);
});
