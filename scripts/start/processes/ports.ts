const DEFAULT_PORT_BASE = 4_000;

/** What listens where, counted from PORT_BASE. */
const OFFSETS = {
  gateway: 0,
  gatewayInternal: 1,
  scheduling: 10,
  schedulingInternal: 11,
  crm: 20,
  crmInternal: 21,
  calls: 30,
  callsInternal: 31,
  webhooks: 40,
  webhooksInternal: 41,
  settingsUi: 50,
  settingsUiInternal: 51,
  postgres: 90,
  redis: 91,
  kafka: 92,
  kafkaController: 93,
  kafkaLocal: 94,
} as const;

export type SystemPorts = Record<keyof typeof OFFSETS, number>;

const SMALLEST_BASE = 1_024;
const LARGEST_BASE = 65_535 - Math.max(...Object.values(OFFSETS));

/** Where the whole system's ports begin. @throws Error where PORT_BASE is no number, or too high for all of them. */
export function portBaseFrom(env: NodeJS.ProcessEnv): number {
  const text = env.PORT_BASE || String(DEFAULT_PORT_BASE);
  const base = Number(text);
  if (!/^\d+$/.test(text) || !isPortBase(base)) {
    throw new Error(`PORT_BASE must be a number from ${SMALLEST_BASE} to ${LARGEST_BASE}, not "${text}".`);
  }
  return base;
}

export function isPortBase(base: number): boolean {
  return Number.isInteger(base) && base >= SMALLEST_BASE && base <= LARGEST_BASE;
}

export function systemPorts(base: number): SystemPorts {
  return Object.fromEntries(
    Object.entries(OFFSETS).map(([name, offset]) => [name, base + offset]),
  ) as SystemPorts;
}
