import { writePhone } from '@frontdesk/phone';
import type { Region } from './region.rules.ts';

/** A number as the business's country writes it, however it was typed or sent; what is no number stays as it is. */
export const phoneText = ({ country }: Pick<Region, 'country'>, number: string): string =>
  writePhone(number, country)?.text ?? number;
