/** The path of a request target, still encoded. */
export const pathOf = (target: string): string => target.split('?', 1)[0] as string;

/** What follows the `?` of a request target, or nothing. */
export function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at + 1);
}
