import { createError } from '../../errors/catalogue.js';
import { snakeCase } from '../../lib/names.js';
import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
  Definitions,
} from '../../model/content-types/definition.js';
import { privateAttributesOf } from '../../model/content-types/attribute-names.js';
import type { ContentModel, ContentType, Uid } from '../../model/model.js';

type Shape = Readonly<Record<string, unknown>>;

/** A content-type or component in Strapi's form. */
export interface StrapiSchema extends Shape {
  readonly uid: Uid;
  readonly modelType: 'contentType' | 'component';
  readonly modelName: string;
  readonly globalId: string;
  readonly attributes: Readonly<Record<string, Shape>>;
}

/** A content-type in Strapi's form, with the members of Galley's model as hidden properties. */
export type StrapiContentType = StrapiSchema & ContentType;

/** Returns attributes in the form of a schema file. */
export function describeAttributes(
  attributes: readonly AttributeDefinition[],
): Readonly<Record<string, Shape>> {
  return Object.fromEntries(attributes.map(({ name, type, options }) => [name, { ...options, type }]));
}

const CREATOR = {
  type: 'relation',
  relation: 'oneToOne',
  target: 'admin::user',
  configurable: false,
  writable: false,
  visible: false,
  useJoinTable: false,
  private: true,
} as const;

/** Returns the attributes that Strapi adds to every content-type. */
const systemAttributes = ({ uid, localized, storage }: ContentType): Readonly<Record<string, Shape>> => ({
  createdAt: { type: 'datetime' },
  updatedAt: { type: 'datetime' },
  publishedAt: { type: 'datetime', configurable: false, writable: true, visible: true },
  createdBy: CREATOR,
  updatedBy: CREATOR,
  locale: { writable: true, private: !localized, configurable: false, visible: false, type: 'string' },
  localizations: {
    type: 'relation',
    relation: 'oneToMany',
    target: uid,
    writable: false,
    private: !localized,
    configurable: false,
    visible: false,
    unstable_virtual: true,
    joinColumn: {
      name: 'document_id',
      referencedColumn: 'document_id',
      referencedTable: storage.version.table,
    },
  },
});

/**
 * Adds the members of Galley's model as properties that are not enumerable, so that code that copies or
 * prints the description ignores them.
 */
const withHidden = <T extends object>(description: T, members: object | undefined): T => {
  for (const [name, value] of Object.entries(members ?? {}))
    if (!Object.hasOwn(description, name))
      Object.defineProperty(description, name, { value: value as unknown, enumerable: false });
  return description;
};

/** Returns the options with names that the configuration makes private, as if the schema declared them. */
const withPrivateNames = (options: Shape, privateNames: readonly string[] = []): Shape =>
  privateNames.length === 0
    ? options
    : { ...options, privateAttributes: [...new Set([...privateNames, ...privateAttributesOf(options)])] };

const describeType = (
  definition: ContentTypeDefinition,
  type: ContentType,
  privateNames: readonly string[] | undefined,
): StrapiContentType => {
  const { uid, kind, collectionName, singularName, pluralName, displayName, description } = definition;
  const { options, pluginOptions, draftAndPublish } = definition;
  const declared = describeAttributes(definition.attributes);
  const merged = Object.fromEntries(
    Object.entries(declared).map(([name, attribute]) => [
      name,
      withHidden({ ...attribute }, type.attributes[name]),
    ]),
  );
  const schema = {
    kind,
    collectionName,
    info: { singularName, pluralName, displayName, ...(description === '' ? {} : { description }) },
    options: { ...withPrivateNames(options, privateNames), draftAndPublish },
    pluginOptions,
    attributes: declared,
  };
  const [scope = '', rest = ''] = uid.split('::');
  const name = rest.split('.')[0];
  const described = {
    ...schema,
    attributes: withHidden({ ...merged, ...systemAttributes(type) }, type.attributes),
    ...(scope === 'plugin' ? { plugin: name } : { apiName: name }),
    globalId: type.typeName,
    uid,
    modelType: 'contentType',
    modelName: singularName,
    __schema__: schema,
    actions: {},
    lifecycles: {},
  };
  return Object.freeze(withHidden(described, type)) as unknown as StrapiContentType;
};

const describeComponent = (
  definition: ComponentDefinition,
  globalId: string,
  privateNames: readonly string[] | undefined,
): StrapiSchema => {
  const { uid, category, name, collectionName, icon, displayName, description, options } = definition;
  const schema = {
    collectionName: collectionName ?? `components_${snakeCase(category)}_${snakeCase(name)}`,
    info: { displayName, description, ...(icon === undefined ? {} : { icon }) },
    options: withPrivateNames(options, privateNames),
    attributes: describeAttributes(definition.attributes),
  };
  return Object.freeze({
    ...schema,
    uid,
    category,
    modelType: 'component',
    modelName: name,
    globalId,
    __schema__: schema,
  });
};

/** The locales, which are a content-type in Strapi but not in Galley. */
const LOCALES: StrapiSchema = Object.freeze({
  uid: 'plugin::i18n.locale',
  kind: 'collectionType',
  modelType: 'contentType',
  modelName: 'locale',
  collectionName: 'i18n_locale',
  globalId: 'I18NLocale',
  plugin: 'i18n',
  info: { singularName: 'locale', pluralName: 'locales', displayName: 'Locale', description: '' },
  options: { draftAndPublish: false },
  pluginOptions: {},
  attributes: {
    name: { type: 'string', min: 1, max: 50, configurable: false },
    code: { type: 'string', unique: true, configurable: false },
    createdAt: { type: 'datetime' },
    updatedAt: { type: 'datetime' },
  },
});

/** The schemas of a project in Strapi's form. */
interface StrapiSchemas {
  readonly contentTypes: Readonly<Record<Uid, StrapiContentType>>;
  readonly components: Readonly<Record<Uid, StrapiSchema>>;
  readonly get: (uid: Uid) => StrapiSchema | undefined;
}

/** Describes all schemas in Strapi's form. */
export function createStrapiSchemas(
  { types, components, privateAttributes }: Definitions,
  model: ContentModel,
): StrapiSchemas {
  const contentTypes = Object.fromEntries(
    types.flatMap((definition) => {
      const type = model.typesByUid[definition.uid];
      return type === undefined
        ? []
        : [[type.uid, describeType(definition, type, privateAttributes)] as const];
    }),
  );
  const componentSchemas = Object.fromEntries(
    components.flatMap((definition) => {
      const component = model.componentsByUid[definition.uid];
      return component === undefined
        ? []
        : [[component.uid, describeComponent(definition, component.typeName, privateAttributes)] as const];
    }),
  );
  const all = new Map([
    ...Object.entries(contentTypes),
    ...Object.entries(componentSchemas),
    [LOCALES.uid, LOCALES] as const,
  ]);
  return { contentTypes, components: componentSchemas, get: (uid) => all.get(uid) };
}

/** A content-type in `strapi.db.metadata`: its schema with the name of its table. */
interface ModelMetadata extends StrapiSchema {
  readonly tableName: string;
}

/** `strapi.db.metadata` */
export interface Metadata {
  readonly get: (uid: Uid) => ModelMetadata;
  readonly has: (uid: Uid) => boolean;
  readonly keys: () => IterableIterator<Uid>;
  readonly values: () => IterableIterator<ModelMetadata>;
  readonly entries: () => IterableIterator<[Uid, ModelMetadata]>;
  readonly forEach: (callback: (metadata: ModelMetadata, uid: Uid) => void) => void;
  readonly size: number;
}

const DOCUMENT_ATTRIBUTES = {
  id: { type: 'increments', columnName: 'id' },
  documentId: { type: 'string', columnName: 'document_id' },
};

const withColumns = (schema: StrapiSchema, model: ContentModel): ModelMetadata => {
  const type = model.typesByUid[schema.uid];
  const columns = Object.entries(schema.attributes).map(([name, attribute]) => {
    const stored = type?.attributes[name];
    const columnName = stored !== undefined && 'column' in stored ? { columnName: stored.column.name } : {};
    return [name, { ...attribute, ...columnName }] as const;
  });
  return Object.freeze({
    ...schema,
    tableName: type?.storage.version.table ?? String(schema['collectionName']),
    attributes: { ...DOCUMENT_ATTRIBUTES, ...Object.fromEntries(columns) },
  });
};

/** Creates the metadata of all schemas. */
export function createMetadata({ contentTypes, components }: StrapiSchemas, model: ContentModel): Metadata {
  const all = new Map(
    [...Object.values(contentTypes), ...Object.values(components)].map((schema) => [
      schema.uid,
      withColumns(schema, model),
    ]),
  );
  return {
    get: (uid) => {
      const metadata = all.get(uid);
      if (metadata !== undefined) return metadata;
      throw createError('project/unknown-content-type', { uid, allowed: [...all.keys()].join(', ') });
    },
    has: (uid) => all.has(uid),
    keys: () => all.keys(),
    values: () => all.values(),
    entries: () => all.entries(),
    forEach: (callback) => all.forEach(callback),
    size: all.size,
  };
}
