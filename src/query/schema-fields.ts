import { memoizeWeakly } from '../lib/collections.js';
import type { ColumnKind, StoredScalar } from '../lib/stored-value.js';
import { ROLE_UID, USER_UID } from '../model/content-types/builtin-types.js';
import type { FieldType, ParseResult } from '../model/fields/field-type.js';
import { FIELD_TYPES } from '../model/fields/registry.js';
import type { Attribute, ContentModel, ContentSchema, ContentType } from '../model/model.js';

/** A scalar attribute or system field that filters and sort can use. */
export interface ComparableField {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly sortable: boolean;
  /** True for the numeric id of documents, which also have a documentId. */
  readonly isOfDocument?: true;
  readonly parse: (input: unknown) => ParseResult<StoredScalar>;
}

/** The name that populates the versions in other locales. */
export const LOCALIZATIONS = 'localizations';

/**
 * The name that populates the documents that link a file. It is not an attribute, and has no other
 * use.
 */
export const RELATED = 'related';

/**
 * True if an attribute lists the users of a role. REST never shows them, as in Strapi: a client that reads
 * the role of a user must not see the other users.
 */
export function isUsersOfRole(schema: ContentSchema, attribute: Attribute): boolean {
  return schema.uid === ROLE_UID && attribute.family === 'relation' && attribute.target === USER_UID;
}

export function isContentType(schema: ContentSchema): schema is ContentType {
  return 'storage' in schema;
}

const createComparableField = (name: string, type: FieldType): ComparableField => ({
  name,
  kind: type.column,
  sortable: type.sortable,
  parse: type.parseFilter,
});

const COMPONENT_FIELDS: readonly ComparableField[] = [createComparableField('id', FIELD_TYPES.integer)];

const TYPE_FIELDS: readonly ComparableField[] = [
  { ...createComparableField('id', FIELD_TYPES.integer), isOfDocument: true },
  createComparableField('documentId', FIELD_TYPES.string),
  createComparableField('createdAt', FIELD_TYPES.datetime),
  createComparableField('updatedAt', FIELD_TYPES.datetime),
  createComparableField('publishedAt', FIELD_TYPES.datetime),
];

const LOCALIZED_FIELDS: readonly ComparableField[] = [
  ...TYPE_FIELDS,
  createComparableField('locale', FIELD_TYPES.string),
];

const systemFields = (schema: ContentSchema): readonly ComparableField[] => {
  if (!isContentType(schema)) return COMPONENT_FIELDS;
  const fields = schema.localized ? LOCALIZED_FIELDS : TYPE_FIELDS;
  return schema.privateFields.length === 0
    ? fields
    : fields.filter(({ name }) => !schema.privateFields.includes(name));
};

/** True if the API shows a built-in field, such as `createdAt` or `localizations`. */
export function showsField(schema: ContentSchema, name: string): boolean {
  return isLocalizations(schema, name) || systemFields(schema).some((field) => field.name === name);
}

/** Returns the entries of a list for the built-in fields that the API shows. */
export function shownFields<T>(
  schema: ContentSchema,
  fields: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => showsField(schema, name)));
}

/** Always returned, so naming them in `fields` has no effect. */
export const ALWAYS_RETURNED: ReadonlySet<string> = new Set(['id', 'documentId']);

const isReadable = (attribute: Attribute): boolean =>
  !attribute.private && !(attribute.family === 'scalar' && !attribute.field.filterable);

/** Returns an attribute by name if the API shows it. Private attributes and passwords are hidden. */
export function readableAttribute(schema: ContentSchema, name: string): Attribute | null {
  const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
  return attribute !== undefined && isReadable(attribute) ? attribute : null;
}

/**
 * Makes the private attributes and passwords of a record not enumerable: project code can compare them, and a
 * response that contains the whole record does not show them.
 */
export function concealPrivate(schema: ContentSchema, record: object): void {
  for (const name of Object.keys(schema.attributes))
    if (readableAttribute(schema, name) === null && Object.hasOwn(record, name))
      Object.defineProperty(record, name, { enumerable: false });
}

/** Returns a scalar attribute or system field by name if the API shows it. */
export function comparableField(schema: ContentSchema, name: string): ComparableField | null {
  const attribute = readableAttribute(schema, name);
  if (attribute === null) return systemFields(schema).find((field) => field.name === name) ?? null;
  return attribute.family === 'scalar' ? createComparableField(name, attribute.field) : null;
}

/**
 * The names that `fields` may contain, which is also its default: scalars, then system fields, in model
 * order.
 */
export const selectableFields: (schema: ContentSchema) => readonly string[] = memoizeWeakly((schema) => {
  const scalars = Object.values(schema.attributes).filter(
    (attribute) => attribute.family === 'scalar' && isReadable(attribute),
  );
  const system = systemFields(schema)
    .map((field) => field.name)
    .filter((name) => !ALWAYS_RETURNED.has(name));
  return Object.freeze([...scalars.map((attribute) => attribute.name), ...system]);
});

/** True if a name selects the versions of the same document in other locales. */
export function isLocalizations(schema: ContentSchema, name: string): boolean {
  return (
    name === LOCALIZATIONS &&
    isContentType(schema) &&
    schema.localized &&
    !schema.privateFields.includes(LOCALIZATIONS) &&
    !Object.hasOwn(schema.attributes, LOCALIZATIONS)
  );
}

/** The names that `populate` may contain, in model order, `localizations` last. */
export const populatableNames: (schema: ContentSchema) => readonly string[] = memoizeWeakly((schema) => {
  const names = Object.values(schema.attributes)
    .filter((attribute) => attribute.family !== 'scalar' && isReadable(attribute))
    .map((attribute) => attribute.name);
  return Object.freeze(isLocalizations(schema, LOCALIZATIONS) ? [...names, LOCALIZATIONS] : names);
});

/** The names that `filters` and `sort` may contain. Only used for suggestions in messages. */
export function comparableNames(schema: ContentSchema): readonly string[] {
  const readable = Object.values(schema.attributes)
    .filter(isReadable)
    .map((attribute) => attribute.name);
  return [...readable, ...systemFields(schema).map((field) => field.name)];
}

const exposeAttribute = (attribute: Attribute): Attribute => {
  if (attribute.family !== 'scalar' || attribute.field.filterable) return { ...attribute, private: false };
  const { parseFilter } = FIELD_TYPES.text;
  return { ...attribute, private: false, field: { ...attribute.field, filterable: true, parseFilter } };
};

const exposeSchema = <Schema extends { readonly attributes: Readonly<Record<string, Attribute>> }>(
  schema: Schema,
): Schema => ({
  ...schema,
  attributes: Object.fromEntries(
    Object.entries(schema.attributes).map(([name, attribute]) => [name, exposeAttribute(attribute)]),
  ),
});

const indexByUid = (model: ContentModel, types: ContentModel['types']): ContentModel => ({
  ...model,
  types,
  typesByUid: Object.fromEntries(types.map((type) => [type.uid, type])),
});

/**
 * Returns the model as commands see it: built-in fields such as `createdAt` can be read even if they are
 * private.
 */
export const exposeFields: (model: ContentModel) => ContentModel = memoizeWeakly((model) =>
  model.types.every(({ privateFields }) => privateFields.length === 0)
    ? model
    : indexByUid(
        model,
        model.types.map((type) => ({ ...type, privateFields: [] })),
      ),
);

/**
 * Returns the model as code on the server sees it: private attributes and password hashes can be read and
 * compared. Controllers remove both from responses to clients.
 */
export const exposeModel: (model: ContentModel) => ContentModel = memoizeWeakly((model) => {
  const exposed = exposeFields(model);
  const components = exposed.components.map(exposeSchema);
  return {
    ...indexByUid(exposed, exposed.types.map(exposeSchema)),
    components,
    componentsByUid: Object.fromEntries(components.map((component) => [component.uid, component])),
  };
});
