/** Fetch's `Headers`, or an object such as the `headers` of Node, Express and Fastify. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The header's value, whatever the case of its name; null where it is missing or there are several. */
export function headerOf(headers: WebhookHeaders | null | undefined, name: string): string | null {
  if (!headers) return null;
  if (typeof headers.get === 'function') return (headers as { get(name: string): string | null }).get(name);
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  const [value] = found.flatMap(([, given]) => given ?? []);
  return found.length === 1 && typeof value === 'string' ? value : null;
}
