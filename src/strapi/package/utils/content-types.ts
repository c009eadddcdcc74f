import { kebabCase } from '../../../lib/names.js';
import { isRecord } from '../../../lib/records.js';
import { FILE_UID } from '../../../model/content-types/builtin-types.js';

type Data = Record<string, unknown>;

interface Schema {
  readonly attributes: Readonly<Record<string, Data>>;
}

interface Path {
  readonly raw: string | null;
  readonly attribute: string | null;
}

interface TraverseOptions {
  readonly schema: Schema;
  readonly getModel: (uid: string) => Schema | undefined;
  readonly path?: Path;
  readonly parent?: unknown;
}

type Visitor = (
  visited: Data,
  change: { readonly remove: (key: string) => void; readonly set: (key: string, value: unknown) => void },
) => unknown;

/** Returns the schema of a nested value. Undefined if it has none. */
const schemaBelow = (attribute: Data, value: Data, { getModel }: TraverseOptions): Schema | undefined => {
  switch (attribute['type']) {
    case 'component':
      return getModel(String(attribute['component']));
    case 'dynamiczone':
      return getModel(String(value['__component']));
    case 'media':
      return getModel(FILE_UID);
    case 'relation':
      return getModel(String(attribute['target'] ?? value['__type']));
    default:
      return undefined;
  }
};

const join = (path: string | null, name: string): string => (path === null ? name : `${path}.${name}`);

const visitBelow = async (
  visitor: Visitor,
  options: TraverseOptions,
  { attribute, value }: { readonly attribute: Data; readonly value: unknown },
): Promise<unknown> => {
  if (Array.isArray(value))
    return Promise.all(
      value.map((item: unknown) => visitBelow(visitor, options, { attribute, value: item })),
    );
  const schema = isRecord(value) ? schemaBelow(attribute, value, options) : undefined;
  return schema === undefined ? value : traverseEntity(visitor, { ...options, schema }, value);
};

/**
 * `traverseEntity` of `@strapi/utils`: calls a function for each member of data, which may change or remove
 * it.
 */
export async function traverseEntity(
  visitor: Visitor,
  options: TraverseOptions,
  entity: unknown,
): Promise<unknown> {
  if (!isRecord(entity)) return entity;
  const { schema, getModel, parent, path = { raw: null, attribute: null } } = options;
  const data: Data = { ...entity };
  const change = {
    remove: (key: string): void => void Reflect.deleteProperty(data, key),
    set: (key: string, value: unknown): void => {
      data[key] = value;
    },
  };
  for (const key of Object.keys(data)) {
    const attribute = Object.hasOwn(schema.attributes, key) ? schema.attributes[key] : undefined;
    const below = {
      raw: join(path.raw, key),
      attribute: attribute === undefined ? path.attribute : join(path.attribute, key),
    };
    await visitor({ data, schema, key, value: data[key], attribute, path: below, getModel, parent }, change);
    const value = data[key];
    if (attribute === undefined || value === undefined || value === null) continue;
    const inside = { ...options, path: below, parent: { schema, key, attribute, path: below } };
    data[key] = await visitBelow(visitor, inside, { attribute, value });
  }
  return data;
}

interface AttributeShape {
  readonly type?: string;
  readonly relation?: string;
  readonly writable?: boolean;
  readonly visible?: boolean;
  readonly private?: boolean;
  readonly required?: boolean;
  readonly unique?: boolean;
}

/** A content-type or component, as `strapi.contentType` and `strapi.getModel` describe it. */
interface SchemaShape {
  readonly kind?: string;
  readonly modelType?: string;
  readonly info?: { readonly singularName?: string; readonly pluralName?: string };
  readonly options?: { readonly draftAndPublish?: boolean; readonly privateAttributes?: readonly string[] };
  readonly attributes: Readonly<Record<string, AttributeShape>>;
}

type Attribute = AttributeShape | null | undefined;

const constants = {
  ID_ATTRIBUTE: 'id',
  DOC_ID_ATTRIBUTE: 'documentId',
  PUBLISHED_AT_ATTRIBUTE: 'publishedAt',
  FIRST_PUBLISHED_AT_ATTRIBUTE: 'firstPublishedAt',
  CREATED_BY_ATTRIBUTE: 'createdBy',
  UPDATED_BY_ATTRIBUTE: 'updatedBy',
  CREATED_AT_ATTRIBUTE: 'createdAt',
  UPDATED_AT_ATTRIBUTE: 'updatedAt',
  SINGLE_TYPE: 'singleType',
  COLLECTION_TYPE: 'collectionType',
} as const;

const IDS: readonly string[] = ['id', 'documentId'];
const OTHERS: readonly string[] = ['media', 'component', 'relation', 'dynamiczone'];
const LIMITS: readonly string[] = ['max', 'min', 'maxLength', 'minLength'];
const ORDERED: readonly unknown[] = ['manyToMany', 'manyToOne', 'oneToMany'];

const attributeNames = (
  { attributes }: SchemaShape,
  matches: (attribute: AttributeShape) => boolean,
): string[] => Object.entries(attributes).flatMap(([name, attribute]) => (matches(attribute) ? [name] : []));

const presentNames = ({ attributes }: SchemaShape, names: readonly string[]): string[] =>
  names.filter((name) => Object.hasOwn(attributes, name));

const otherNames = ({ attributes }: SchemaShape, names: readonly string[]): string[] =>
  Object.keys(attributes).filter((name) => !names.includes(name));

const getTimestamps = (schema: SchemaShape): string[] => presentNames(schema, ['createdAt', 'updatedAt']);

const getNonWritableAttributes = (schema?: SchemaShape | null): string[] =>
  schema === null || schema === undefined
    ? []
    : [
        ...new Set([
          ...IDS,
          ...getTimestamps(schema),
          ...attributeNames(schema, ({ writable }) => writable === false),
        ]),
      ];

const getWritableAttributes = (schema?: SchemaShape | null): string[] =>
  schema === null || schema === undefined ? [] : otherNames(schema, getNonWritableAttributes(schema));

const getNonVisibleAttributes = (schema: SchemaShape): string[] => [
  ...new Set([
    ...IDS,
    'publishedAt',
    ...getTimestamps(schema),
    ...attributeNames(schema, ({ visible }) => visible === false),
  ]),
];

const getVisibleAttributes = (schema: SchemaShape): string[] =>
  otherNames(schema, getNonVisibleAttributes(schema));

const hasDraftAndPublish = (schema?: SchemaShape | null): boolean =>
  schema?.options?.draftAndPublish === true;

const isSchema = (value: unknown): boolean =>
  isRecord(value) && (value['modelType'] === 'component' || value['modelType'] === 'contentType');

const isSingleType = ({ kind = 'collectionType' }: SchemaShape): boolean => kind === 'singleType';
const isMediaAttribute = (attribute: Attribute): boolean => attribute?.type === 'media';
const isRelationalAttribute = (attribute: Attribute): boolean => attribute?.type === 'relation';
const isDynamicZoneAttribute = (attribute: Attribute): boolean => attribute?.type === 'dynamiczone';
const isComponentAttribute = (attribute: Attribute): boolean =>
  attribute?.type === 'component' || isDynamicZoneAttribute(attribute);
const isScalarAttribute = (attribute: Attribute): boolean =>
  attribute !== null && attribute !== undefined && !OTHERS.includes(String(attribute.type));

const privateNames = ({ options }: SchemaShape): readonly string[] => options?.privateAttributes ?? [];

/** `contentTypes` of `@strapi/utils`: functions that inspect schemas. */
export const contentTypes = {
  constants,
  ID_FIELDS: IDS,
  MORPH_TO_KEYS: ['__type'],
  DYNAMIC_ZONE_KEYS: ['__component'],
  RELATION_OPERATION_KEYS: ['connect', 'disconnect', 'set', 'options'],
  getTimestamps,
  getCreatorFields: (schema: SchemaShape) => presentNames(schema, ['createdBy', 'updatedBy']),
  getNonWritableAttributes,
  getWritableAttributes,
  isWritableAttribute: (schema: SchemaShape, name: string) => getWritableAttributes(schema).includes(name),
  getNonVisibleAttributes,
  getVisibleAttributes,
  isVisibleAttribute: (schema: SchemaShape, name: string) => getVisibleAttributes(schema).includes(name),
  getOptions: ({ options }: SchemaShape) => ({ draftAndPublish: false, ...options }),
  hasDraftAndPublish,
  hasFirstPublishedAtField: () => false,
  isDraft: (data: unknown, schema: SchemaShape) =>
    hasDraftAndPublish(schema) && isRecord(data) && data['publishedAt'] === null,
  isSchema,
  isComponentSchema: (value: unknown) => isRecord(value) && value['modelType'] === 'component',
  isContentTypeSchema: (value: unknown) => isRecord(value) && value['modelType'] === 'contentType',
  isSingleType,
  isCollectionType: (schema: SchemaShape) => !isSingleType(schema),
  isKind: (kind: string) => (schema: SchemaShape) => schema.kind === kind,
  getPrivateAttributes: (schema: SchemaShape) => [
    ...new Set([
      ...privateNames(schema),
      ...attributeNames(schema, (attribute) => attribute.private === true),
    ]),
  ],
  isPrivateAttribute: (schema: SchemaShape, name: string) =>
    schema.attributes[name]?.private === true || privateNames(schema).includes(name),
  isScalarAttribute,
  isMediaAttribute,
  isRelationalAttribute,
  isComponentAttribute,
  isDynamicZoneAttribute,
  isMorphToRelationalAttribute: (attribute: Attribute) =>
    isRelationalAttribute(attribute) && attribute?.relation?.startsWith('morphTo') === true,
  isTypedAttribute: (attribute: Attribute, type: string) => attribute?.type === type,
  hasRelationReordering: (attribute: Attribute) =>
    isRelationalAttribute(attribute) && ORDERED.includes(attribute?.relation),
  getDoesAttributeRequireValidation: (attribute: AttributeShape) =>
    attribute.required === true ||
    attribute.unique === true ||
    LIMITS.some((name) => Object.hasOwn(attribute, name)),
  getComponentAttributes: (schema: SchemaShape) => attributeNames(schema, isComponentAttribute),
  getMediaAttributes: (schema: SchemaShape) => attributeNames(schema, isMediaAttribute),
  getScalarAttributes: (schema: SchemaShape) => attributeNames(schema, isScalarAttribute),
  getRelationalAttributes: (schema: SchemaShape) => attributeNames(schema, isRelationalAttribute),
  getContentTypeRoutePrefix: (schema: SchemaShape) =>
    kebabCase(String(isSingleType(schema) ? schema.info?.singularName : schema.info?.pluralName)),
};

const isOfRelations =
  (...relations: readonly string[]) =>
  (attribute: Attribute): boolean =>
    isRelationalAttribute(attribute) && relations.includes(String(attribute?.relation));

/** `relations` of `@strapi/utils`. */
export const relations = {
  constants: { MANY_RELATIONS: ['oneToMany', 'manyToMany'] },
  getRelationalFields: (schema: SchemaShape) => attributeNames(schema, isRelationalAttribute),
  isOneToAny: isOfRelations('oneToOne', 'oneToMany'),
  isManyToAny: isOfRelations('manyToMany', 'manyToOne'),
  isAnyToOne: isOfRelations('oneToOne', 'manyToOne'),
  isAnyToMany: isOfRelations('oneToMany', 'manyToMany'),
  isPolymorphic: isOfRelations('morphOne', 'morphMany', 'morphToOne', 'morphToMany'),
  VALID_RELATION_ORDERING_KEYS: { strict: (value: unknown) => typeof value === 'boolean' },
};
