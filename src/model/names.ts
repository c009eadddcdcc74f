import type { ContentTypeDefinition } from '../content-types/definition.js';
import { pascalCase, snakeCase, upperFirst } from '../lib/casing.js';
import { hashedName, shortName } from '../lib/short-name.js';
import type { Uid } from '../lib/uid.js';
import type { TypeStorage } from './model.js';
import { createNamePool } from './name-pool.js';
import type { NamePool } from './name-pool.js';

/** Longest name PostgreSQL keeps. */
const MAX_SQL_BYTES = 63;

/** Longest stem of a Prisma name; the printer and the client make longer names from it. */
const MAX_MODEL_BYTES = 80;

/** Names that GraphQL, TypeScript or the API itself has other uses for; a content-type of that name gets a `Type` at its end. */
const TAKEN_TYPE_NAMES = new Set([
  'String', 'Int', 'Float', 'Boolean', 'Date', 'Time', 'DateTime', 'Json', 'Long', 'BigInt', 'Query', 'Mutation', 'Subscription',
  'Error', 'Pagination', 'PaginationArg', 'PublicationStatus', 'PublicationFilter', 'DeleteMutationResponse', 'DeletedDocument', 'FileInfoInput', 'GenericMorph', 'I18NLocale', 'I18NLocaleCode',
  'Array', 'Map', 'Number', 'Object', 'Omit', 'Partial', 'Pick', 'Promise', 'Readonly', 'Record', 'Set', 'Symbol', 'JsonValue', 'Blocks',
]);

/** Names the Prisma client cannot give to a model: its own types, the system tables' models, and what would make the client itself something else (`client.then`). */
const TAKEN_MODEL_NAMES = new Set([
  'AccountCode', 'ApiToken', 'ApiTokenPermission', 'Locale', 'RateLimit', 'RefreshToken', 'SystemState',
  'Bytes', 'Decimal', 'Prisma', 'PrismaClient', 'Constructor', 'Then', 'Catch', 'Finally', 'ToString', 'ValueOf', 'HasOwnProperty',
]);
const TAKEN_MODEL_PREFIX = /^Cms/;

/** Fields every version row has, and the words filters of the Prisma client use beside fields. */
const SYSTEM_FIELDS = ['id', 'documentId', 'document', 'locale', 'status', 'createdAt', 'updatedAt', 'publishedAt', 'version', 'AND', 'OR', 'NOT'];
const SYSTEM_COLUMNS = ['id', 'document_id', 'locale', 'status', 'created_at', 'updated_at', 'published_at'];

/** Tables of the server itself, and those a database or Prisma keeps for its own. */
const SYSTEM_TABLE = /^(?:cms_|sqlite_|_prisma_)/i;

const lowerCase = (name: string): string => name.toLowerCase();

/** Of two tables or columns that would have one name, the later one gets a hash of what it was to be called. */
const createSqlPool = (): NamePool => {
  const pool = createNamePool({ fold: lowerCase, other: (name, wished) => hashedName(wished, MAX_SQL_BYTES, `${name} ${wished}`) });
  return { ...pool, take: (wished) => pool.take(shortName(wished, MAX_SQL_BYTES)) };
};

const createFieldPool = (): NamePool => createNamePool({ other: (name) => `${name}_` });

const createModelPool = (): NamePool => {
  const pool = createNamePool({ other: (name) => `${name}_` });
  return { ...pool, take: (wished) => pool.take(shortName(wished, MAX_MODEL_BYTES)) };
};

/** The nearest name that Prisma takes for a field: letters, digits and _, a letter first. */
const fieldIdentifier = (name: string): string => {
  const cleaned = name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^_+/, '');
  return /^[A-Za-z]/.test(cleaned) ? cleaned : `field${upperFirst(cleaned)}`;
};

/** GraphQL and TypeScript name of a content-type. */
export function typeNameOf({ uid, singularName }: Pick<ContentTypeDefinition, 'uid' | 'singularName'>): string {
  const [, plugin] = /^plugin::([^.]+)\./.exec(uid) ?? [];
  const name = pascalCase(plugin === undefined ? singularName : `${plugin}-${singularName}`);
  return TAKEN_TYPE_NAMES.has(name) ? `${name}Type` : name;
}

/** `shared.seo` → `ComponentSharedSeo` */
export function componentTypeName(uid: Uid): string {
  return pascalCase(`component-${uid}`);
}

/** Names in one type's version table and model, in the order they are asked for. */
export interface RowNames {
  readonly column: (attribute: string) => { readonly name: string; readonly field: string };
  /** Of a to-one link kept as a column; its position where the inverse side is a list. */
  readonly link: (attribute: string) => { readonly column: string; readonly field: string; readonly relationField: string };
  readonly position: (attribute: string) => { readonly column: string; readonly field: string };
}

export function createRowNames(): RowNames {
  const columns = createSqlPool();
  const fields = createFieldPool();
  columns.reserve(SYSTEM_COLUMNS);
  fields.reserve(SYSTEM_FIELDS);
  const named = (attribute: string, suffix: string): { readonly column: string; readonly field: string } => ({
    column: columns.take(`${snakeCase(attribute)}${snakeCase(suffix) === '' ? '' : `_${snakeCase(suffix)}`}`),
    field: fields.take(`${fieldIdentifier(attribute)}${suffix}`),
  });
  return {
    column: (attribute) => {
      const { column, field } = named(attribute, '');
      return { name: column, field };
    },
    link: (attribute) => ({ ...named(attribute, 'DocumentId'), relationField: fields.take(fieldIdentifier(attribute)) }),
    position: (attribute) => named(attribute, 'Position'),
  };
}

/** Names in one polymorphic link table. */
export function createMorphNames(): (typeName: string) => { readonly column: string; readonly field: string; readonly relationField: string } {
  const columns = createSqlPool();
  const fields = createFieldPool();
  columns.reserve(['id', 'source_id', 'position']);
  fields.reserve(['id', 'source', 'sourceId', 'position', 'AND', 'OR', 'NOT']);
  return (typeName) => {
    const stem = typeName.charAt(0).toLowerCase() + typeName.slice(1);
    return { column: columns.take(`${snakeCase(typeName)}_document_id`), field: fields.take(`${stem}DocumentId`), relationField: fields.take(stem) };
  };
}

/** Names of all tables and Prisma models. */
export interface SchemaNames {
  readonly storageOf: (uid: Uid) => TypeStorage;
  readonly linkTable: (owner: ContentTypeDefinition, attribute: string) => { readonly table: string; readonly model: string };
}

const modelStem = (typeName: string): string => (TAKEN_MODEL_NAMES.has(typeName) ? `${typeName}Type` : typeName.replace(TAKEN_MODEL_PREFIX, 'TypeCms'));

const tableStem = (collectionName: string): string => (SYSTEM_TABLE.test(collectionName) ? `content_${collectionName}` : collectionName);

/** Gives every type its two tables and models; `types` in a stable order, so that the same files give the same names. */
export function createSchemaNames(types: readonly ContentTypeDefinition[]): SchemaNames {
  const tables = createSqlPool();
  const models = createModelPool();
  models.reserve(TAKEN_MODEL_NAMES);
  const versions = types.map((type) => ({ type, version: { table: tables.take(tableStem(type.collectionName)), model: models.take(modelStem(typeNameOf(type))) } }));
  const storages = new Map<Uid, TypeStorage>(versions.map(({ type, version }) => [
    type.uid,
    { version, anchor: { table: tables.take(`${tableStem(type.collectionName)}_documents`), model: models.take(`${modelStem(typeNameOf(type))}Document`) } },
  ]));
  return {
    storageOf: (uid) => {
      const storage = storages.get(uid);
      if (storage === undefined) throw new TypeError(`No names for the type ${uid}`);
      return storage;
    },
    linkTable: (owner, attribute) => ({
      table: tables.take(snakeCase(`${tableStem(owner.collectionName)}_${attribute}_links`)),
      model: models.take(`${modelStem(typeNameOf(owner))}${pascalCase(attribute)}Link`),
    }),
  };
}
