import { z } from 'zod';
import { removedRecord } from '../errors/envelope.ts';
import { feedEventSchema } from '../events/events-feed.ts';
import { growingValues } from '../fields/fields.ts';
import { appointmentSchema } from '../resources/appointments.ts';
import { businessSchema } from '../resources/business/business-record.ts';
import { callListEntry, callSchema } from '../resources/calls/calls.ts';
import { customerListEntry, customerSchema } from '../resources/customers.ts';
import { holdSchema } from '../resources/holds.ts';
import { serviceSchema } from '../resources/services.ts';
import { slotSchema } from '../resources/slots.ts';
import { staffListEntry, staffSchema } from '../resources/staff.ts';
import {
  webhookDeliveryListEntry,
  webhookDeliverySchema,
  webhookSchema,
} from '../resources/webhook-records.ts';

/** As much of JSON Schema as our schemas become. */
export interface WireSchema {
  $ref?: string;
  type?: string;
  description?: string;
  properties?: Record<string, WireSchema>;
  required?: string[];
  items?: WireSchema;
  anyOf?: WireSchema[];
  enum?: unknown[];
  const?: unknown;
  /** Of the values that there are today. */
  'x-extensible-enum'?: unknown[];
  not?: object;
  default?: unknown;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  pattern?: string;
  format?: string;
  propertyNames?: WireSchema;
  additionalProperties?: unknown;
}

/** Records that are described once, under these names. */
export const RECORDS = {
  Appointment: appointmentSchema,
  Hold: holdSchema,
  Slot: slotSchema,
  CustomerListEntry: customerListEntry,
  Customer: customerSchema,
  CallListEntry: callListEntry,
  Call: callSchema,
  StaffListEntry: staffListEntry,
  StaffMember: staffSchema,
  Service: serviceSchema,
  Business: businessSchema,
  Event: feedEventSchema,
  Webhook: webhookSchema,
  WebhookDeliveryListEntry: webhookDeliveryListEntry,
  WebhookDelivery: webhookDeliverySchema,
  DeletedRecord: removedRecord,
} as const;

export type RecordName = keyof typeof RECORDS;

const REF = '#/components/schemas/';
const NAMES = new Map<unknown, string>(Object.entries(RECORDS).map(([name, schema]) => [schema, name]));

/** The record that a schema refers to. */
export const recordOf = ({ $ref }: WireSchema) => $ref?.slice(REF.length) as RecordName | undefined;

/** Many pages and the description of the API show the same schema, which takes long to convert. */
const CONVERTED = {
  input: new WeakMap<z.ZodType, WireSchema>(),
  output: new WeakMap<z.ZodType, WireSchema>(),
};

/** The schema as JSON Schema 2020-12: of what is sent to us, or of what we send. Records in it are referred to. */
function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): WireSchema {
  const known = CONVERTED[io].get(schema);
  if (known) return known;
  const { $schema: _draft, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const node = jsonSchema as WireSchema;
      const record = NAMES.get(zodSchema);
      if (record !== undefined && zodSchema !== (schema as unknown)) {
        for (const key of Object.keys(node)) delete node[key as keyof WireSchema];
        node.$ref = REF + record;
      }
      if (io === 'output' && node.enum && growingValues.has(zodSchema as unknown as z.ZodType)) {
        node['x-extensible-enum'] = node.enum;
        delete node.enum;
      }
      // Answers may gain fields, and what a body has beyond its fields is passed over. The names of a map are no fields.
      if (!saysMore(node.additionalProperties)) delete node.additionalProperties;
      if (node.propertyNames?.pattern === undefined) delete node.propertyNames;
      if (io === 'output' && node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
      if (zodSchema._zod.def.type === 'undefined') node.not = {};
    },
  });
  CONVERTED[io].set(schema, made as WireSchema);
  return made as WireSchema;
}

/** Whether what a map holds is described, and not just anything or nothing. */
const saysMore = (values: unknown) =>
  typeof values === 'object' && values !== null && Object.keys(values).length > 0;

export const answerSchema = (schema: z.ZodType) => jsonSchemaOf(schema, 'output');
export const bodySchema = (schema: z.ZodType) => jsonSchemaOf(schema, 'input');

/**
 * A query's parameters as the values that they stand for: in a URL everything is text, an integer is one of digits. What a
 * parameter becomes says more about it than the text does, where JSON Schema can say it.
 */
export function querySchema(schema: z.ZodType): WireSchema {
  const [text, value] = [bodySchema(schema), answerSchema(schema)];
  const properties = Object.entries(text.properties ?? {}).map(([name, asText]) => {
    const { pattern, ...rest } = asText;
    const isNumber = pattern?.includes('\\d{1,15}') === true;
    return [name, { ...(isNumber ? { ...rest, type: 'integer' } : asText), ...value.properties?.[name] }];
  });
  return { ...text, properties: Object.fromEntries(properties) as Record<string, WireSchema> };
}
