import { isRecord } from '../../lib/is-record.js';
import type { JsonValue, StoredScalar } from '../../lib/stored-value.js';
import { storedTarget } from '../../model/component-target.js';
import type {
  Attribute,
  ComponentAttribute,
  ContentSchema,
  ContentType,
  DynamicZoneAttribute,
  LinkAttribute,
  ScalarAttribute,
} from '../../model/model.js';
import { toJson } from '../../documents/validation/parse-scalar.js';
import type { EntityRecord } from '../source.js';
import { convertScalar } from './convert-scalar.js';
import { isDerived } from './import-model.js';
import { resolveLinks } from './resolve-links.js';
import type { LinkContext, LinkOwner } from './resolve-links.js';
import type { IndexedRow } from './row-index.js';

type Values = Readonly<Record<string, JsonValue>>;

const isValues = (value: unknown): value is Values => isRecord(value);

const tellUnknown = ({ tally }: LinkContext, schema: ContentSchema, values: Values): void => {
  for (const [name, value] of Object.entries(values)) {
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    if (isEmpty || Object.hasOwn(schema.attributes, name) || isDerived(schema.uid, name)) continue;
    const reason = 'the project has no such attribute';
    tally.add({ what: `${schema.uid} ${name}`, reason, isLoss: !schema.ignoredAttributes.includes(name) });
  }
};

const scalarOf = (
  { tally }: LinkContext,
  schema: ContentSchema,
  { name, field }: ScalarAttribute,
  value: JsonValue,
): StoredScalar => {
  const converted = convertScalar(field, value);
  if (converted.fits) return converted.value;
  tally.add({ what: `${schema.uid} ${name}`, reason: `the value is no ${field.name}`, isLoss: true });
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
  item: Values,
): JsonValue => {
  const value = item[attribute.name] ?? null;
  if (attribute.family === 'scalar') return toJson(scalarOf(context, schema, attribute, value));
  if (attribute.family === 'component' || attribute.family === 'dynamiczone')
    return convertComponents(context, owner, attribute, value);
  // Document ids are stored as they are: a document that is not there may come later.
  if (owner.links !== undefined) return value;
  return itemLinks(context, owner, attribute, { uid: schema.uid, id: Number(item['id']) });
};

const convertItem = (
  context: LinkContext,
  owner: LinkOwner,
  uid: string,
  item: Values,
): Record<string, JsonValue> | null => {
  const schema = context.model.componentsByUid[uid];
  if (schema === undefined) {
    context.tally.add({ what: uid, reason: 'the project has no such component', isLoss: true });
    return null;
  }
  tellUnknown(context, schema, item);
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

/** Returns components as they are stored: with their ids, and links as document ids. */
function convertComponents(
  context: LinkContext,
  owner: LinkOwner,
  attribute: ComponentAttribute | DynamicZoneAttribute,
  value: JsonValue,
): JsonValue {
  const items: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  const converted = items.filter(isValues).flatMap((item) => {
    if (attribute.family === 'component') {
      const { ['__component']: _kind, ...single } = item;
      return convertItem(context, owner, attribute.component, single) ?? [];
    }
    const kind = item['__component'];
    const uid = typeof kind === 'string' ? kind : 'a component without a name';
    if (attribute.components.includes(uid)) return convertItem(context, owner, uid, item) ?? [];
    context.tally.add({
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
  tellUnknown(context, type, record.data);
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
