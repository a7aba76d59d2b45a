const digitsByCurrency = new Map<string, number>();

/** Decimal places of an ISO 4217 currency: 2 for EUR, 0 for JPY, 3 for KWD. */
export function minorUnitDigits(currency: string): number {
  let digits = digitsByCurrency.get(currency);
  if (digits === undefined) {
    digits =
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
      2;
    digitsByCurrency.set(currency, digits);
  }
  return digits;
}

/** 4550 EUR minor units → 45.5, the decimal number of the API. */
export function toDecimal(minor: number, currency: string): number {
  return minor / 10 ** minorUnitDigits(currency);
}

/** 45.5 EUR → 4550. Returns null where the amount is finer than the currency or no safe integer. */
export function toMinor(amount: number, currency: string): number | null {
  const digits = minorUnitDigits(currency);
  const minor = Math.round(amount * 10 ** digits);
  if (!Number.isSafeInteger(minor) || Number((minor / 10 ** digits).toFixed(digits)) !== amount) return null;
  return minor;
}
