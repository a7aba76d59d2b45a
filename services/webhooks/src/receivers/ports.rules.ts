/** Both ends included. */
export interface PortRange {
  from: number;
  to: number;
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

/** Reads "80,443,1024-65535"; null where it is no such list. */
export function parsePortRanges(text: string): PortRange[] | null {
  const ranges = text.split(',').map((part) => {
    const [, from, to] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part.trim()) ?? [];
    return { from: Number(from), to: Number(to ?? from) };
  });
  const areRanges = ranges.every(({ from, to }) => from >= 1 && from <= to && to <= 65_535);
  return areRanges ? ranges : null;
}

export function portOf(url: URL): number {
  return url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port);
}

export function isAmong(ranges: readonly PortRange[], port: number): boolean {
  return ranges.some(({ from, to }) => port >= from && port <= to);
}

/** For a message: "80, 443, 1024-65535". */
export function listOfPorts(ranges: readonly PortRange[]): string {
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
