import type { VersionStore } from '../../documents/operations/version-store.js';
import type { ReadObjects } from '../../database/dialect/read-objects.js';
import type { DocumentService } from '../../documents/documents.js';
import type { DocumentHooks } from '../../documents/hooks.js';
import type { ProjectDocuments } from '../../documents/repository/project-documents.js';
import type { Definitions } from '../../model/content-types/definition.js';
import { memoize } from '../../lib/memoize.js';
import type { Uid } from '../../model/model.js';
import type { Logger } from '../../server/logger.js';
import { CLIENTS } from '../database-names.js';
import { withKnownProperties } from '../unavailable.js';
import { createStrapiSchemas } from './content-types.js';
import type { StrapiContentType, StrapiSchema } from './content-types.js';
import { createStrapiDocuments } from './documents.js';
import type { DocumentsFunction } from './documents.js';
import { createEntityManager } from './entity-manager.js';
import { createEntityService } from './entity-service.js';
import type { EntityService } from './entity-service.js';
import { createKnex } from './knex/create-knex.js';
import { createLifecycles, READ_SUBJECTS, ROW_SUBJECTS } from './lifecycles.js';
import type { Lifecycles } from './lifecycles.js';
import { createLocaleQueries, LOCALE_UID } from './locales/locale-queries.js';
import type { LocaleDependencies } from './locales/locale-queries.js';
import type { RowQueries } from './memory/row-queries.js';
import { createMetadata } from './metadata.js';
import type { Metadata } from './metadata.js';
import { createQueryEngine } from './query-engine.js';
import type { QueryEngine } from './query-engine.js';
import type { RowDependencies } from './rows.js';
import { createReadLifecycles } from './read-lifecycles.js';
import { createTransactFunction } from './transaction.js';
import type { TransactFunction } from './transaction.js';
import { unknownType } from './unknown-type.js';
import { createVersionReader } from './version-reader.js';
import type { VersionReader } from './version-reader.js';
import { createWriteLifecycles } from './write-lifecycles.js';

/** `strapi.db` */
interface StrapiDatabase {
  readonly query: (uid: Uid) => QueryEngine;
  readonly entityManager: object;
  readonly lifecycles: Lifecycles;
  readonly transaction: TransactFunction;
  readonly inTransaction: () => boolean;
  readonly metadata: Metadata;
  /** Knex over the same database. */
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
  /** Types of Strapi's own, which are no documents. */
  readonly adminTypes: Readonly<Record<Uid, RowQueries>>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Calls lifecycle listeners for what is read and written through the document service. */
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
    const own = Object.hasOwn(rows, uid) ? rows[uid] : undefined;
    if (own !== undefined) return own.query;
    throw unknownType(model, 'strapi.db.query', uid);
  });
};

/** Creates the properties of `strapi` that read and write content. */
export function createData(dependencies: DataDependencies): DataProperties {
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
  const client = CLIENTS[database.dialect.name];
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
