import { isRecord } from '../../../lib/is-record.js';
import type { Attribute, ContentModel, ContentSchema } from '../../../model/model.js';
import { isContentType, isUsersOfRole } from '../../../query/schema-fields.js';
import type { ReadAccess } from '../../../query/read-access.js';

/** The model and the rights that values are sanitized by. */
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

/** Undefined: the value is not for the caller. */
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

const CREATORS: readonly string[] = ['createdBy', 'updatedBy'];
const OF_LOCALES: readonly string[] = ['locale', 'localizations'];

/**
 * True if clients do not see a member of a row: a creator, a private field, or the locale of a type that is
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
 * Returns records without what their readers must not see: private attributes, passwords, and relations to
 * types that the caller may not read. Members that project code has added are kept.
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
