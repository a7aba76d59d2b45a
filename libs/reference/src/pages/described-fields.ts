import { type RecordName, recordOf, type WireSchema } from '@frontdesk/contracts';

/** A field as documentation lists it. */
export interface DescribedField {
  /** With dots for what is inside of another field, and brackets for entries of a list. */
  name: string;
  type: string;
  isRequired: boolean;
  rules: string[];
  description: string;
}

/** The alternative beside null, for what may be null. */
function split(schema: WireSchema): { node: WireSchema; isNullable: boolean } {
  const [first, second, ...rest] = schema.anyOf ?? [];
  if (first && second?.type === 'null' && rest.length === 0) {
    return { node: { ...schema, ...first }, isNullable: true };
  }
  const types = [schema.type ?? []].flat();
  if (!types.includes('null')) return { node: schema, isNullable: false };
  return {
    node: { ...schema, type: types.filter((type) => type !== 'null').join(' or ') },
    isNullable: true,
  };
}

function typeOf({ node, isNullable }: ReturnType<typeof split>): string {
  const record = recordOf(node);
  const plain = node.exclusiveMinimum === 0 ? `positive ${node.type}` : (node.type ?? 'anything');
  const type = record ?? (node.type === 'array' ? `list of ${entryType(node)}` : plain);
  return isNullable ? `${type} or null` : type;
}

function entryType({ items = {} }: WireSchema): string {
  return recordOf(items) ?? `${items.type ?? 'value'}s`;
}

function rulesOf(node: WireSchema): string[] {
  const values = node.enum ?? node['x-extensible-enum'] ?? (node.const === undefined ? [] : [node.const]);
  return [
    values.length > 0 && (values.length === 1 ? `always ${values[0]}` : `one of ${values.join(', ')}`),
    node.minimum !== undefined && `at least ${node.minimum}`,
    node.maximum !== undefined && node.maximum < Number.MAX_SAFE_INTEGER && `at most ${node.maximum}`,
    node.maxLength !== undefined && `at most ${node.maxLength} characters`,
    node.default !== undefined && `default ${JSON.stringify(node.default)}`,
  ].filter((rule) => rule !== false);
}

/** The fields of an object and of what is in it, in their order. Fields that can't be sent are left out. */
export function describedFields(schema: WireSchema, prefix = ''): DescribedField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    if (property.not) return [];
    const parts = split(property);
    const { node } = parts;
    const name = prefix + key;
    const field = {
      name,
      type: typeOf(parts),
      rules: rulesOf(node),
      description: property.description ?? '',
      isRequired: schema.required?.includes(key) === true,
    };
    return [field, ...describedFields(node, `${name}.`), ...describedFields(node.items ?? {}, `${name}[].`)];
  });
}

/** What the `data` of an envelope is: a record, or a list of one. */
export function answeredRecord(envelope: WireSchema): { name: RecordName; isList: boolean } {
  const data = envelope.properties?.data ?? {};
  const name = recordOf(data) ?? recordOf(data.items ?? {});
  if (!name) throw new Error('An answer holds no record that is described.');
  return { name, isList: data.type === 'array' };
}
