/**
 * Implements `strapi.documents`, `strapi.entityService` and `strapi.db`. Start at
 * {@link createDataProperties}, which creates these properties from the other files of the folder.
 */
import type { ReadObjects } from '../../database/dialect/search-expressions.js';
import type { DocumentService } from '../../documents/documents.js';
import type { DocumentHooks } from '../../documents/hooks.js';
import type { VersionStore } from '../../documents/write/version-store.js';
import type { ProjectDocuments } from '../../documents/create-repository.js';
import { memoize } from '../../lib/collections.js';
import type { Definitions } from '../../model/content-types/definition.js';
import type { Uid } from '../../model/model.js';
import type { Logger } from '../../server/logger.js';
import { STRAPI_CLIENTS } from '../configuration.js';
import { unknownTypeError, withKnownProperties } from '../unavailable.js';
import { createMetadata, createStrapiSchemas } from './content-types.js';
import type { Metadata, StrapiContentType, StrapiSchema } from './content-types.js';
import { createStrapiDocuments, createEntityService } from './documents.js';
import type { DocumentsFunction, EntityService } from './documents.js';
import { createKnex } from './knex/knex-client.js';
import { READ_SUBJECTS, ROW_SUBJECTS, createLifecycles } from './lifecycles.js';
import type { Lifecycles } from './lifecycles.js';
import { LOCALE_UID, createLocaleQueries } from './internal-types.js';
import type { LocaleDependencies } from './internal-types.js';
import type { RowQueries } from './memory-queries.js';
import { createQueryEngine } from './query-engine.js';
import type { QueryEngine } from './query-engine.js';
import { createReadLifecycles } from './read-lifecycles.js';
import type { RowDependencies } from './rows.js';
import { createTransactFunction } from './transaction.js';
import type { TransactFunction } from './transaction.js';
import { createVersionReader } from './version-reader.js';
import type { VersionReader } from './version-reader.js';
import { createWriteLifecycles } from './write-lifecycles.js';

const METHODS = [
  'findOne',
  'findMany',
  'findWithCount',
  'findPage',
  'count',
  'create',
  'createMany',
  'update',
  'updateMany',
  'delete',
  'deleteMany',
  'load',
] as const satisfies readonly (keyof QueryEngine)[];

type Call = (...values: readonly unknown[]) => unknown;

/**
 * Creates `strapi.db.entityManager`: the methods of `strapi.db.query`, with the content-type as the first
 * parameter.
 */
function createEntityManager(query: (uid: Uid) => QueryEngine): object {
  const calls = METHODS.map((method) => [
    method,
    (uid: Uid, ...rest: readonly unknown[]) => (query(uid)[method] as Call)(...rest),
  ]);
  return withKnownProperties('strapi.db.entityManager', {
    ...(Object.fromEntries(calls) as Readonly<Record<string, Call>>),
    getRepository: query,
  });
}

/** `strapi.db` */
interface StrapiDatabase {
  readonly query: (uid: Uid) => QueryEngine;
  readonly entityManager: object;
  readonly lifecycles: Lifecycles;
  readonly transaction: TransactFunction;
  readonly inTransaction: () => boolean;
  readonly metadata: Metadata;
  /** Knex on the same database. */
  readonly connection: unknown;
  readonly getConnection: (table?: string) => unknown;
  readonly dialect: { readonly client: string };
  readonly config: { readonly connection: { readonly client: string } };
  readonly getSchemaName: () => undefined;
}

/** The properties of `strapi` that read and write content. */
export interface DataProperties {
  readonly documents: DocumentsFunction & Pick<ProjectDocuments, 'before' | 'after'>;
  readonly entityService: EntityService;
  readonly db: StrapiDatabase;
  readonly query: (uid: Uid) => QueryEngine;
  readonly contentType: (uid: Uid) => StrapiContentType | undefined;
  readonly contentTypes: Readonly<Record<Uid, StrapiContentType>>;
  readonly components: Readonly<Record<Uid, StrapiSchema>>;
  readonly getModel: (uid: Uid) => StrapiSchema | undefined;
}

export interface DataDependencies extends LocaleDependencies {
  readonly root: string;
  readonly definitions: Definitions;
  readonly documents: DocumentService;
  readonly versions: VersionStore;
  readonly objects: ReadObjects;
  readonly hooks: DocumentHooks;
  readonly defaultLocale: () => string;
  /** Strapi's internal types, whose rows are not documents. */
  readonly adminTypes: Readonly<Record<Uid, RowQueries>>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Calls lifecycle listeners for reads and writes through the document service. */
const connectLifecycles = (
  lifecycles: Lifecycles,
  {
    model,
    database,
    hooks,
    versions,
    defaultLocale,
    reader,
  }: DataDependencies & { readonly reader: VersionReader },
): void => {
  const shared = { model, lifecycles, defaultLocale };
  hooks.wrap(createReadLifecycles(shared), {
    appliesTo: (uid) => lifecycles.has(uid, ...READ_SUBJECTS),
    concerns: 'reads',
    isInnermost: true,
  });
  hooks.wrap(createWriteLifecycles({ ...shared, database, reader, versions }), {
    appliesTo: (uid) => lifecycles.has(uid, ...ROW_SUBJECTS),
    concerns: 'writes',
    isInnermost: true,
  });
};

const createQuery = (
  dependencies: RowDependencies,
  rows: Readonly<Record<Uid, RowQueries>>,
): ((uid: Uid) => QueryEngine) => {
  const { model } = dependencies;
  return memoize((uid: Uid) => {
    if (Object.hasOwn(model.typesByUid, uid)) return createQueryEngine(dependencies, uid);
    const rowType = Object.hasOwn(rows, uid) ? rows[uid] : undefined;
    if (rowType !== undefined) return rowType.query;
    throw unknownTypeError(model, 'strapi.db.query', uid);
  });
};

/** Creates the properties of `strapi` that read and write content. */
export function createDataProperties(dependencies: DataDependencies): DataProperties {
  const { definitions, model, database, hooks } = dependencies;
  const schemas = createStrapiSchemas(definitions, model);
  const metadata = createMetadata(schemas, model);
  const reader = createVersionReader(dependencies);
  const lifecycles = createLifecycles({ modelOf: metadata.get });
  connectLifecycles(lifecycles, { ...dependencies, reader });
  const rowTypes = { ...dependencies.adminTypes, [LOCALE_UID]: createLocaleQueries(dependencies) };
  const query = createQuery({ ...dependencies, reader, lifecycles }, rowTypes);
  const knex = createKnex(dependencies);
  const strapiDocuments = createStrapiDocuments({
    ...dependencies,
    rowTypes,
    reader,
    contentTypeOf: schemas.get,
  });
  const client = STRAPI_CLIENTS[database.dialect.name];
  return {
    documents: Object.assign(strapiDocuments, { before: hooks.before, after: hooks.after }),
    entityService: createEntityService({
      documents: strapiDocuments,
      query,
      isSingleType: (uid) => model.typesByUid[uid]?.kind === 'singleType',
      isSeen: strapiDocuments.findsParams,
    }),
    query,
    db: withKnownProperties('strapi.db', {
      query,
      entityManager: createEntityManager(query),
      lifecycles,
      transaction: createTransactFunction({ database, knexIn: knex.inTransaction }),
      inTransaction: () => database.joined() !== null,
      metadata,
      get connection() {
        return knex.connection();
      },
      getConnection: (table?: string) => knex.getConnection(table),
      dialect: { client },
      config: { connection: { client } },
      getSchemaName: () => undefined,
    }),
    contentType: (uid) => (Object.hasOwn(schemas.contentTypes, uid) ? schemas.contentTypes[uid] : undefined),
    contentTypes: schemas.contentTypes,
    components: schemas.components,
    getModel: schemas.get,
  };
}
