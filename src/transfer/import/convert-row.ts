import { toJson } from '../../documents/validation/parse-scalar.js';
import { isRecord } from '../../lib/records.js';
import type { JsonValue, StoredScalar } from '../../lib/stored-value.js';
import type { FieldType } from '../../model/fields/field-type.js';
import { storedTarget } from '../../model/lookup.js';
import type {
  Attribute,
  ComponentAttribute,
  ContentSchema,
  ContentType,
  DynamicZoneAttribute,
  LinkAttribute,
  ScalarAttribute,
} from '../../model/model.js';
import type { EntityRecord } from '../source.js';
import { isDerived } from './import-model.js';
import { resolveLinks } from './resolve-links.js';
import type { LinkContext, LinkOwner } from './resolve-links.js';
import type { IndexedRow } from './row-index.js';

/** A value in stored form. `fits` is false if the column cannot hold the value. */
type Converted = { readonly fits: true; readonly value: StoredScalar } | { readonly fits: false };

const MAX_INTEGER = 2_147_483_647;

const fit = (value: StoredScalar): Converted => ({ fits: true, value });

const printText = (value: JsonValue): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

const convertBoolean = (value: JsonValue): Converted => {
  if (typeof value === 'boolean') return fit(value);
  if (value === 1 || value === 'true' || value === '1') return fit(true);
  return value === 0 || value === 'false' || value === '0' ? fit(false) : { fits: false };
};

const convertNumber = (value: JsonValue, isInteger: boolean): Converted => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return { fits: false };
  const isOutside = isInteger && (!Number.isInteger(number) || Math.abs(number) > MAX_INTEGER);
  return isOutside ? { fits: false } : fit(number);
};

const parsed = (field: FieldType, value: JsonValue): Converted => {
  const result = field.parseFilter(value);
  return result.ok ? fit(result.value) : { fits: false };
};

/** Converts a date and time. SQLite stores milliseconds, which some versions of Strapi export as text. */
const convertMoment = (field: FieldType, value: JsonValue): Converted => {
  const milliseconds = typeof value === 'number' || (typeof value === 'string' && /^-?\d+$/.test(value));
  return parsed(field, milliseconds ? new Date(Number(value)).toISOString() : value);
};

/**
 * Converts a value of an export to the form in which it is stored. Constraints of the schema do not apply,
 * since published content of Strapi may break them, and passwords are hashes already.
 */
function convertScalar(field: FieldType, value: JsonValue): Converted {
  if (value === null) return fit(null);
  switch (field.column) {
    case 'json':
      return fit(value);
    case 'boolean':
      return convertBoolean(value);
    case 'integer':
    case 'double':
      return convertNumber(value, field.column === 'integer');
    case 'datetime':
      return convertMoment(field, value);
    case 'bigint':
      return parsed(field, value);
    case 'text':
      return field.name === 'date' || field.name === 'time'
        ? parsed(field, typeof value === 'string' && field.name === 'date' ? value.slice(0, 10) : value)
        : fit(printText(value));
    default:
      return field.column satisfies never;
  }
}

type JsonObject = Readonly<Record<string, JsonValue>>;

const isJsonObject = (value: unknown): value is JsonObject => isRecord(value);

const reportUnknownValues = ({ findings }: LinkContext, schema: ContentSchema, values: JsonObject): void => {
  for (const [name, value] of Object.entries(values)) {
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    if (isEmpty || Object.hasOwn(schema.attributes, name) || isDerived(schema.uid, name)) continue;
    const reason = 'the project has no such attribute';
    findings.add({ what: `${schema.uid} ${name}`, reason, isLoss: !schema.ignoredAttributes.includes(name) });
  }
};

const scalarOf = (
  { findings }: LinkContext,
  schema: ContentSchema,
  { name, field }: ScalarAttribute,
  value: JsonValue,
): StoredScalar => {
  const converted = convertScalar(field, value);
  if (converted.fits) return converted.value;
  findings.add({
    what: `${schema.uid} ${name}`,
    reason: `the value is not a valid ${field.name}`,
    isLoss: true,
  });
  return null;
};

const itemLinks = (
  context: LinkContext,
  owner: LinkOwner,
  attribute: LinkAttribute,
  source: { readonly uid: string; readonly id: number },
): JsonValue => {
  const targets = resolveLinks(context, owner, attribute, source).map(({ type, row }) =>
    storedTarget(attribute, { type, documentId: row.documentId }),
  );
  return attribute.many ? [...new Set(targets)] : (targets[0] ?? null);
};

const itemValue = (
  context: LinkContext,
  owner: LinkOwner,
  schema: ContentSchema,
  attribute: Attribute,
  item: JsonObject,
): JsonValue => {
  const value = item[attribute.name] ?? null;
  if (attribute.family === 'scalar') return toJson(scalarOf(context, schema, attribute, value));
  if (attribute.family === 'component' || attribute.family === 'dynamiczone')
    return convertComponents(context, owner, attribute, value);
  // Document ids are stored unchanged: a missing document may be imported later.
  if (owner.links !== undefined) return value;
  return itemLinks(context, owner, attribute, { uid: schema.uid, id: Number(item['id']) });
};

const convertItem = (
  context: LinkContext,
  owner: LinkOwner,
  uid: string,
  item: JsonObject,
): Record<string, JsonValue> | null => {
  const schema = context.model.componentsByUid[uid];
  if (schema === undefined) {
    context.findings.add({ what: uid, reason: 'the project has no such component', isLoss: true });
    return null;
  }
  reportUnknownValues(context, schema, item);
  return {
    ...('__component' in item ? { __component: uid } : {}),
    id: Number(item['id']),
    ...Object.fromEntries(
      Object.values(schema.attributes).map((attribute) => [
        attribute.name,
        itemValue(context, owner, schema, attribute, item),
      ]),
    ),
  };
};

/** Returns components in stored form: with their ids, and links as document ids. */
function convertComponents(
  context: LinkContext,
  owner: LinkOwner,
  attribute: ComponentAttribute | DynamicZoneAttribute,
  value: JsonValue,
): JsonValue {
  const items: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  const converted = items.filter(isJsonObject).flatMap((item) => {
    if (attribute.family === 'component') {
      const { ['__component']: _kind, ...single } = item;
      return convertItem(context, owner, attribute.component, single) ?? [];
    }
    const kind = item['__component'];
    const uid = typeof kind === 'string' ? kind : 'a component without a name';
    if (attribute.components.includes(uid)) return convertItem(context, owner, uid, item) ?? [];
    context.findings.add({
      what: `${owner.type} ${attribute.name}`,
      reason: `${uid} is not allowed here`,
      isLoss: true,
    });
    return [];
  });
  const isList = attribute.family === 'dynamiczone' || attribute.repeatable;
  return isList ? converted : (converted[0] ?? null);
}

const columnLinkValues = (
  context: LinkContext,
  owner: LinkOwner,
  attribute: LinkAttribute,
  id: number,
): Readonly<Record<string, unknown>> => {
  if (attribute.link?.kind !== 'column' || attribute.side !== 'owner') return {};
  const [target] = resolveLinks(context, owner, attribute, { uid: owner.type, id });
  const { field, position } = attribute.link;
  if (target === undefined) return {};
  return {
    [field]: target.row.documentId,
    ...(position === null ? {} : { [position.field]: target.inversePosition }),
  };
};

const moment = (value: JsonValue | undefined): Date | null => {
  const date = typeof value === 'string' || typeof value === 'number' ? new Date(value) : null;
  return date === null || Number.isNaN(date.getTime()) ? null : date;
};

const systemValues = ({ data }: EntityRecord, row: IndexedRow): Readonly<Record<string, unknown>> => {
  const publishedAt = moment(data['publishedAt']);
  const createdAt = moment(data['createdAt']) ?? publishedAt ?? new Date(0);
  const updatedAt = moment(data['updatedAt']) ?? createdAt;
  const { documentId, locale, status } = row;
  return {
    documentId,
    locale,
    status,
    createdAt,
    updatedAt,
    publishedAt: status === 'draft' ? null : (publishedAt ?? createdAt),
  };
};

/** Returns the values of a version row, by the fields of its columns, apart from its id. */
export function convertRow(
  context: LinkContext,
  type: ContentType,
  record: EntityRecord,
  row: IndexedRow,
): Readonly<Record<string, unknown>> {
  const owner: LinkOwner = { type: type.uid, row, links: record.links };
  reportUnknownValues(context, type, record.data);
  const values = Object.values(type.attributes).map((attribute): Readonly<Record<string, unknown>> => {
    const value = record.data[attribute.name] ?? null;
    if (attribute.family === 'scalar')
      return { [attribute.column.field]: scalarOf(context, type, attribute, value) };
    if (attribute.family === 'component' || attribute.family === 'dynamiczone')
      return { [attribute.column.field]: convertComponents(context, owner, attribute, value) };
    return columnLinkValues(context, owner, attribute, record.id);
  });
  return Object.assign({}, ...values, systemValues(record, row));
}
