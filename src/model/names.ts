import type { ContentTypeDefinition } from './content-types/definition.js';
import { createNamePool, hashedName, pascalCase, shortName, snakeCase, upperFirst } from '../lib/names.js';
import type { NamePool } from '../lib/names.js';
import { defined } from '../lib/assert.js';
import type { Uid } from '../lib/ids.js';
import type { TypeStorage } from './model.js';

/** The maximum length of a PostgreSQL identifier. */
const MAX_SQL_BYTES = 63;

/** The maximum length of a Prisma model name. Longer names are derived from it. */
const MAX_MODEL_BYTES = 80;

const BUILTIN_TYPE_NAMES = [
  'UploadFile',
  'UploadFolder',
  'UsersPermissionsUser',
  'UsersPermissionsRole',
  'UsersPermissionsPermission',
];

/**
 * Names with another meaning in GraphQL, TypeScript or the API. A content-type with such a name gets the
 * suffix `Type`.
 */
const RESERVED_TYPE_NAMES = new Set([
  ...BUILTIN_TYPE_NAMES,
  'String',
  'Int',
  'Float',
  'Boolean',
  'Date',
  'Time',
  'DateTime',
  'Json',
  'Long',
  'BigInt',
  'Query',
  'Mutation',
  'Subscription',
  'Error',
  'Pagination',
  'PaginationArg',
  'PublicationStatus',
  'PublicationFilter',
  'DeleteMutationResponse',
  'DeletedDocument',
  'FileInfoInput',
  'GenericMorph',
  'I18NLocale',
  'I18NLocaleCode',
  'Array',
  'Map',
  'Number',
  'Object',
  'Omit',
  'Partial',
  'Pick',
  'Promise',
  'Readonly',
  'Record',
  'Set',
  'Symbol',
  'JsonValue',
  'Blocks',
]);

/**
 * Names that a Prisma model cannot have: types of the client, models of system tables, and names that would
 * change the client itself (`client.then`).
 */
const RESERVED_MODEL_NAMES = new Set([
  'AccountCode',
  'ApiToken',
  'ApiTokenPermission',
  'Locale',
  'RateLimit',
  'RefreshToken',
  'SystemState',
  'Bytes',
  'Decimal',
  'Prisma',
  'PrismaClient',
  'Constructor',
  'Then',
  'Catch',
  'Finally',
  'ToString',
  'ValueOf',
  'HasOwnProperty',
]);
const RESERVED_MODEL_PREFIX = /^Cms/;

/** Fields of every version row, and keywords of Prisma filters. */
const SYSTEM_FIELDS = [
  'id',
  'documentId',
  'document',
  'locale',
  'status',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'version',
  'AND',
  'OR',
  'NOT',
];
const SYSTEM_COLUMNS = ['id', 'document_id', 'locale', 'status', 'created_at', 'updated_at', 'published_at'];

/** Prefixes of system tables: those of Galley, SQLite and Prisma. */
const SYSTEM_TABLE = /^(?:cms_|sqlite_|_prisma_)/i;

const lowerCase = (name: string): string => name.toLowerCase();

/** Creates a pool of table or column names. Of two equal names, the later one gets a hash. */
const createSqlPool = (): NamePool => {
  const pool = createNamePool({
    fold: lowerCase,
    nextCandidate: (name, preferred) => hashedName(preferred, MAX_SQL_BYTES, `${name} ${preferred}`),
  });
  return { ...pool, allocate: (preferred) => pool.allocate(shortName(preferred, MAX_SQL_BYTES)) };
};

const createNamePoolWithUnderscores = (): NamePool => createNamePool({ nextCandidate: (name) => `${name}_` });

const createModelPool = (): NamePool => {
  const pool = createNamePoolWithUnderscores();
  return { ...pool, allocate: (preferred) => pool.allocate(shortName(preferred, MAX_MODEL_BYTES)) };
};

/** Converts a name to a valid Prisma field: letters, digits and _, starting with a letter. */
export function toPrismaField(name: string): string {
  const cleaned = name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^_+/, '');
  return /^[A-Za-z]/.test(cleaned) ? cleaned : `field${upperFirst(cleaned)}`;
}

/** Returns the GraphQL and TypeScript name of a content-type. */
export function typeNameOf({
  uid,
  singularName,
}: Pick<ContentTypeDefinition, 'uid' | 'singularName'>): string {
  const [, plugin] = /^plugin::([^.]+)\./.exec(uid) ?? [];
  if (plugin !== undefined) return pascalCase(`${plugin}-${singularName}`);
  const name = pascalCase(singularName);
  return RESERVED_TYPE_NAMES.has(name) ? `${name}Type` : name;
}

/** `shared.seo` → `ComponentSharedSeo` */
export function componentTypeName(uid: Uid): string {
  return pascalCase(`component-${uid}`);
}

/** Returns the GraphQL and TypeScript name of a content-type or component. */
export type NameSchema = (uid: Uid) => string;

/** Names schemas, in an order that must be stable. Of two equal names the later gets a trailing `_`. */
export function nameSchemas({
  types,
  components,
}: {
  readonly types: readonly ContentTypeDefinition[];
  readonly components: readonly { readonly uid: Uid }[];
}): NameSchema {
  const pool = createNamePoolWithUnderscores();
  const names = new Map<Uid, string>([
    ...types.map((type) => [type.uid, pool.allocate(typeNameOf(type))] as const),
    ...components.map(({ uid }) => [uid, pool.allocate(componentTypeName(uid))] as const),
  ]);
  return (uid) => defined(names.get(uid), `the name of ${uid}`);
}

/** Allocates names in the version table and model of one type, in the order of the calls. */
export interface RowNames {
  readonly column: (attribute: string) => { readonly name: string; readonly field: string };
  /** Names of a to-one link stored as a column. */
  readonly link: (attribute: string) => {
    readonly column: string;
    readonly field: string;
    readonly relationField: string;
  };
  readonly position: (attribute: string) => { readonly column: string; readonly field: string };
}

/** Starts with the names of the system columns and fields taken. */
export function createRowNames(): RowNames {
  const columns = createSqlPool();
  const fields = createNamePoolWithUnderscores();
  columns.reserve(SYSTEM_COLUMNS);
  fields.reserve(SYSTEM_FIELDS);
  const allocateNames = (
    attribute: string,
    suffix: string,
  ): { readonly column: string; readonly field: string } => ({
    column: columns.allocate(
      `${snakeCase(attribute)}${snakeCase(suffix) === '' ? '' : `_${snakeCase(suffix)}`}`,
    ),
    field: fields.allocate(`${toPrismaField(attribute)}${suffix}`),
  });
  return {
    column: (attribute) => {
      const { column, field } = allocateNames(attribute, '');
      return { name: column, field };
    },
    link: (attribute) => ({
      ...allocateNames(attribute, 'DocumentId'),
      relationField: fields.allocate(toPrismaField(attribute)),
    }),
    position: (attribute) => allocateNames(attribute, 'Position'),
  };
}

/** Allocates names in one polymorphic link table. */
export function createMorphNames(): (typeName: string) => {
  readonly column: string;
  readonly field: string;
  readonly relationField: string;
} {
  const columns = createSqlPool();
  const fields = createNamePoolWithUnderscores();
  columns.reserve(['id', 'source_id', 'position']);
  fields.reserve(['id', 'source', 'sourceId', 'position', 'AND', 'OR', 'NOT']);
  return (typeName) => {
    const stem = typeName.charAt(0).toLowerCase() + typeName.slice(1);
    return {
      column: columns.allocate(`${snakeCase(typeName)}_document_id`),
      field: fields.allocate(`${stem}DocumentId`),
      relationField: fields.allocate(stem),
    };
  };
}

/** Names of all tables and Prisma models. */
export interface SchemaNames {
  readonly storageOf: (uid: Uid) => TypeStorage;
  readonly linkTable: (
    owner: ContentTypeDefinition,
    attribute: string,
  ) => { readonly table: string; readonly model: string };
}

const modelStem = (typeName: string): string =>
  RESERVED_MODEL_NAMES.has(typeName) ? `${typeName}Type` : typeName.replace(RESERVED_MODEL_PREFIX, 'TypeCms');

const tableStem = (collectionName: string): string =>
  SYSTEM_TABLE.test(collectionName) ? `content_${collectionName}` : collectionName;

/**
 * Names the two tables and models of every type. Pass `types` in a stable order: the same schema files must
 * give the same names.
 */
export function createSchemaNames(types: readonly ContentTypeDefinition[]): SchemaNames {
  const tables = createSqlPool();
  const models = createModelPool();
  models.reserve(RESERVED_MODEL_NAMES);
  const versions = types.map((type) => ({
    type,
    version: {
      table: tables.allocate(tableStem(type.collectionName)),
      model: models.allocate(modelStem(typeNameOf(type))),
    },
  }));
  const storages = new Map<Uid, TypeStorage>(
    versions.map(({ type, version }) => [
      type.uid,
      {
        version,
        document: {
          table: tables.allocate(`${tableStem(type.collectionName)}_documents`),
          model: models.allocate(`${modelStem(typeNameOf(type))}Document`),
        },
      },
    ]),
  );
  return {
    storageOf: (uid) => {
      const storage = storages.get(uid);
      if (storage === undefined) throw new TypeError(`No names for the type ${uid}`);
      return storage;
    },
    linkTable: (owner, attribute) => ({
      table: tables.allocate(snakeCase(`${tableStem(owner.collectionName)}_${attribute}_links`)),
      model: models.allocate(`${modelStem(typeNameOf(owner))}${pascalCase(attribute)}Link`),
    }),
  };
}
