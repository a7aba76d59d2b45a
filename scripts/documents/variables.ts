import { markdownTable } from '@frontdesk/reference';
import type { z } from 'zod';
import { configSchema as calls } from '../../services/calls/src/config.ts';
import { configSchema as crm } from '../../services/crm/src/config.ts';
import { configSchema as gateway } from '../../services/gateway/src/config.ts';
import { configSchema as scheduling } from '../../services/scheduling/src/config.ts';
import { configSchema as settingsUi } from '../../services/settings-ui/src/config.ts';
import { configSchema as webhooks } from '../../services/webhooks/src/config.ts';

const SCHEMAS = { gateway, scheduling, crm, calls, webhooks, 'settings-ui': settingsUi };
const SERVICES = Object.keys(SCHEMAS);

export interface Variable {
  name: string;
  description: string;
  /** As a table shows it: empty for a variable that must be set. */
  byDefault: string;
  /** That describe it in these words. */
  services: string[];
}

/** The variables of all services; one that means something else in another service is there twice. */
export function allVariables(schemas: Record<string, z.ZodObject> = SCHEMAS): Variable[] {
  const variables = new Map<string, Variable>();
  for (const [service, { shape }] of Object.entries(schemas)) {
    for (const [name, schema] of Object.entries(shape) as [string, z.ZodType][]) {
      const { description } = schema;
      if (!description) throw new Error(`${name} of ${service} has no description.`);
      const byDefault = defaultOf(schema);
      const key = [name, byDefault, description].join('\n');
      const known = variables.get(key) ?? { name, description, byDefault, services: [] };
      variables.set(key, { ...known, services: [...known.services, service] });
    }
  }
  return [...variables.values()];
}

/** The default of a variable, in words where the schema has some for it (`whenUnset`). */
function defaultOf(schema: z.ZodType): string {
  const { whenUnset } = schema.meta() ?? {};
  if (typeof whenUnset === 'string') return whenUnset;
  const { def } = schema as z.ZodDefault | z.ZodPrefault | z.ZodOptional | z.ZodPipe<z.ZodType>;
  switch (def.type) {
    case 'pipe':
      return defaultOf(def.in);
    case 'optional':
      return 'none';
    case 'default':
    case 'prefault':
      return shown(def.defaultValue);
    default:
      return '';
  }
}

function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const text = Array.isArray(value) ? value.join(',') : String(value);
  return text === '' ? 'none' : `\`${text}\``;
}

/** The documents with a table of variables, by their path: those of several services, of traces, of each service alone. */
export function variableTables(variables = allVariables()): Map<string, string> {
  const common = variables.filter(({ services }) => services.length > 1);
  const [ofTraces, others] = [true, false].map((areOfTraces) =>
    common.filter(({ name }) => name.startsWith('OTEL_') === areOfTraces),
  );
  const own = (service: string) =>
    variables.filter(({ services }) => services.length === 1 && services.includes(service));
  return new Map([
    ['docs/configuration.md', tableOf(others ?? [], { withServices: true })],
    ['docs/traces.md', tableOf(ofTraces ?? [])],
    ...SERVICES.filter((service) => own(service).length > 0).map(
      (service) => [`services/${service}/README.md`, tableOf(own(service))] as const,
    ),
  ]);
}

function tableOf(variables: Variable[], { withServices = false } = {}): string {
  return markdownTable(
    ['variable', 'default', ...(withServices ? ['services'] : []), ''],
    variables.map(({ name, byDefault, services, description }) => [
      `\`${name}\``,
      byDefault,
      ...(withServices ? [inWords(services)] : []),
      description,
    ]),
  );
}

function inWords(services: string[]): string {
  const missing = SERVICES.filter((service) => !services.includes(service));
  if (missing.length === 0) return 'all';
  return missing.length === 1 ? `all but ${missing[0]}` : services.join(', ');
}
