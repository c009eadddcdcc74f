import { isRecord } from '../../lib/records.js';
import type { Attribute, ContentModel, ContentSchema } from '../../model/model.js';
import type { ReadAccess } from '../../query/read-access.js';
import { isContentType, isUsersOfRole } from '../../query/schema-fields.js';
import { CREATORS } from '../database/entry-shape.js';

type Params = Record<string, unknown>;

/** Throws for parameters that the caller may not or cannot use. */
type CheckQuery = (params: Params) => unknown;

const isValid = (check: CheckQuery, params: Params): boolean => {
  try {
    check(params);
    return true;
  } catch {
    return false;
  }
};

const keepList = (check: CheckQuery, name: string, values: readonly unknown[]): readonly unknown[] =>
  values.filter((value) => isValid(check, { [name]: [value] }));

const keepEntries = (check: CheckQuery, name: string, values: Params): Params =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      if (isValid(check, { [name]: { [key]: value } })) return [[key, value]];
      if (!Array.isArray(value) || !key.startsWith('$')) return [];
      return [[key, value.filter((each) => isValid(check, { [name]: { [key]: [each] } }))]];
    }),
  );

const keepWords = (check: CheckQuery, name: string, text: string): string | undefined => {
  const words = text.split(',').filter((word) => isValid(check, { [name]: word.trim() }));
  return words.length === 0 ? undefined : words.join(',');
};

/** Returns the valid part of a parameter, or undefined. */
const keepValid = (check: CheckQuery, name: string, value: unknown): unknown => {
  if (isValid(check, { [name]: value })) return value;
  if (Array.isArray(value)) return keepList(check, name, value);
  if (isRecord(value)) return keepEntries(check, name, value);
  return typeof value === 'string' ? keepWords(check, name, value) : undefined;
};

/** The parts of a query that are checked one by one. */
export const QUERY_PARTS = ['filters', 'sort', 'fields', 'populate'] as const;

/** Returns a query without filters, sort orders, fields and relations that the caller may not use. */
export function sanitizeQuery(query: Params, check: CheckQuery): Params {
  const cleaned: Params = { ...query };
  for (const name of QUERY_PARTS) {
    const value = cleaned[name];
    if (value === undefined) continue;
    const valid = keepValid(check, name, value);
    if (valid === undefined) Reflect.deleteProperty(cleaned, name);
    else cleaned[name] = valid;
  }
  return cleaned;
}

/** The model and the access by which values are sanitized. */
interface Cleaner {
  readonly model: ContentModel;
  readonly access: ReadAccess | null;
}

const schemaOf = ({ typesByUid, componentsByUid }: ContentModel, uid: unknown): ContentSchema | undefined => {
  const name = String(uid);
  if (Object.hasOwn(typesByUid, name)) return typesByUid[name];
  return Object.hasOwn(componentsByUid, name) ? componentsByUid[name] : undefined;
};

const mapEntries = (value: unknown, clean: (entry: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(clean) : clean(value);

const cleanEntry = (cleaner: Cleaner, uid: unknown, entry: unknown): unknown => {
  const schema = schemaOf(cleaner.model, uid);
  return schema === undefined || !isRecord(entry) ? entry : cleanRecord(cleaner, schema, entry);
};

/** Returns the sanitized value. Undefined if the caller may not read it. */
const cleanValue = (cleaner: Cleaner, attribute: Attribute, value: unknown): unknown => {
  switch (attribute.family) {
    case 'scalar':
      return attribute.type === 'password' ? undefined : value;
    case 'component':
      return mapEntries(value, (entry) => cleanEntry(cleaner, attribute.component, entry));
    case 'dynamiczone':
      return mapEntries(value, (entry) =>
        cleanEntry(cleaner, isRecord(entry) ? entry['__component'] : undefined, entry),
      );
    case 'media':
      return mapEntries(value, (entry) => cleanEntry(cleaner, attribute.target, entry));
    case 'relation':
      return cleanRelation(cleaner, attribute.target, value);
  }
};

const cleanRelation = (cleaner: Cleaner, target: string | null, value: unknown): unknown => {
  const { access } = cleaner;
  if (target !== null && access !== null && !access.canFind(target)) return undefined;
  if (target !== null) return mapEntries(value, (entry) => cleanEntry(cleaner, target, entry));
  const isVisible = (entry: unknown): boolean =>
    access === null || !isRecord(entry) || access.canFind(String(entry['__type']));
  if (Array.isArray(value))
    return value
      .filter(isVisible)
      .map((entry) => cleanEntry(cleaner, isRecord(entry) ? entry['__type'] : undefined, entry));
  if (!isVisible(value)) return undefined;
  return cleanEntry(cleaner, isRecord(value) ? value['__type'] : undefined, value);
};

const isInScope = ({ access }: Cleaner, uid: string, name: string): boolean => {
  const fields = access?.scopeOf?.(uid, 'find')?.fields ?? null;
  return fields === null || fields.has(name);
};

const OF_LOCALES: readonly string[] = ['locale', 'localizations'];

/**
 * True if clients may not read a member of a row: a creator, a private field, or the locale of a type that is
 * not localized.
 */
const isHidden = (schema: ContentSchema, name: string): boolean =>
  isContentType(schema) &&
  (CREATORS.includes(name) ||
    schema.privateFields.includes(name) ||
    (!schema.localized && OF_LOCALES.includes(name)));

function cleanRecord(
  cleaner: Cleaner,
  schema: ContentSchema,
  record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const cleaned: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
    if (attribute === undefined) {
      if (
        !isHidden(schema, name) &&
        (name !== 'localizations' || cleaner.access === null || cleaner.access.canFind(schema.uid))
      )
        cleaned[name] =
          name === 'localizations'
            ? mapEntries(value, (entry) => cleanEntry(cleaner, schema.uid, entry))
            : value;
      continue;
    }
    if (attribute.private || isUsersOfRole(schema, attribute) || !isInScope(cleaner, schema.uid, name))
      continue;
    const clean = cleanValue(cleaner, attribute, value);
    if (clean !== undefined) cleaned[name] = clean;
  }
  return cleaned;
}

/**
 * Returns records without private attributes, passwords, and relations to types that the caller may not read.
 * Members that project code has added are kept.
 */
export function sanitizeOutput(
  model: ContentModel,
  schema: ContentSchema,
  data: unknown,
  access: ReadAccess | null,
): unknown {
  return mapEntries(data, (entry) =>
    isRecord(entry) ? cleanRecord({ model, access }, schema, entry) : entry,
  );
}
