/** An amount as people read it. */
export const moneyOf = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(amount);

/** The finest step of a currency: 0.01 of EUR, 1 of JPY. */
export function moneyStep(currency: string): string {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return digits === 0 ? '1' : `0.${'1'.padStart(digits, '0')}`;
}
