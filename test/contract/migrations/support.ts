import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SqlDriverAdapter, SqlQuery, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { onTestFinished } from 'vitest';
import { dialectNamed } from '../../../src/dialects/dialect-named.js';
import type { DialectName } from '../../../src/dialects/dialect.js';
import type { MigrationSession, SessionRow } from '../../../src/dialects/migration-support.js';
import { isGalleyError } from '../../../src/errors/galley-error.js';
import type { GalleyError } from '../../../src/errors/galley-error.js';
import { applyMigrations } from '../../../src/migrations/apply.js';
import type { ApplyResult } from '../../../src/migrations/apply.js';
import { migrate, previewMigration } from '../../../src/migrations/migrate.js';
import type { MigrateResult, Preview } from '../../../src/migrations/migrate.js';
import type { Rename } from '../../../src/migrations/rename-in-schema.js';
import { diffSchemas } from '../../../src/migrations/schema-engine.js';
import { migrationStatus } from '../../../src/migrations/status.js';
import type { MigrationStatus } from '../../../src/migrations/status.js';
import type { TestDatabaseKind } from '../../support/databases.js';

interface MigrateCall {
  readonly label?: string;
  readonly renames?: readonly Rename[];
  readonly acceptsDataLoss?: boolean;
}

/** A project's migrations folder and one database, as a user has them. */
export interface Bench {
  readonly folder: string;
  readonly url: string;
  /** A whole schema for this database around these models (or the text itself where it is whole); like every Prisma 7 schema, without an address. */
  readonly schema: (models: string) => string;
  readonly migrate: (models: string, call?: MigrateCall) => Promise<MigrateResult>;
  readonly preview: (models: string, call?: MigrateCall) => Promise<Preview>;
  readonly apply: (call?: { readonly acceptsDataLoss?: boolean; readonly waitMs?: number }) => Promise<ApplyResult>;
  readonly status: () => Promise<MigrationStatus>;
  /** Runs statements as an application would: with foreign keys in force. */
  readonly run: (sql: string) => Promise<void>;
  readonly rows: (sql: string) => Promise<readonly SessionRow[]>;
  /** The same folder with another, empty database. */
  readonly elsewhere: () => Promise<Bench>;
}

/** The driver adapter an application opens the database with. */
export const openFactory = (name: DialectName, url: string): SqlMigrationAwareDriverAdapterFactory =>
  name === 'sqlite' ? new PrismaBetterSqlite3({ url }) : new PrismaPg({ connectionString: url });

const createBenchIn = async (kind: TestDatabaseKind, folder: string): Promise<Bench> => {
  const dialect = dialectNamed(kind.name);
  const { url } = await kind.create();
  const schema = (models: string): string => models.includes('datasource ') ? models : `datasource db {\n  provider = "${kind.name}"\n}\n\ngenerator client {\n  provider = "prisma-client-js"\n}\n\n${models.trim()}\n`;
  const address = { folder, url, dialect };
  const onSession = async <T>(work: (session: MigrationSession) => Promise<T>): Promise<T> => {
    const session = await dialect.migrations.openSession(url, { waitMs: 1000, isWritten: true });
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  };
  return {
    folder,
    url,
    schema,
    migrate: (models, call = {}) => migrate({ ...address, label: 'change', ...call, nextSchema: schema(models) }),
    preview: (models, call = {}) => previewMigration({ ...address, ...call, nextSchema: schema(models) }),
    apply: (call = {}) => applyMigrations({ ...address, ...call }),
    status: () => migrationStatus(address),
    run: (sql) => onSession((session) => session.script(sql)),
    rows: (sql) => onSession((session) => session.query(sql)),
    elsewhere: () => createBenchIn(kind, folder),
  };
};

export const createBench = async (kind: TestDatabaseKind): Promise<Bench> => {
  const project = await mkdtemp(join(tmpdir(), 'galley-migrations-'));
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  return createBenchIn(kind, join(project, 'prisma', 'migrations'));
};

interface PgResult {
  readonly fields: readonly { readonly dataTypeID: number }[];
}

const CHAR = 18;
const BPCHAR = 1042;

/**
 * The adapter refuses PostgreSQL's "char", in which its catalogue keeps single letters; and since PostgreSQL 18 the catalogue lists NOT
 * NULL among the constraints, which the engine takes for one it does not know. Without this the engine cannot look at the database.
 */
const teachCatalogue = (adapter: SqlDriverAdapter): void => {
  const perform: unknown = Reflect.get(adapter, 'performIO');
  if (typeof perform !== 'function') throw new TypeError('The adapter has no performIO');
  const taught = async (query: SqlQuery): Promise<PgResult> => {
    const result: PgResult = await perform.call(adapter, { ...query, sql: query.sql.replace(`('p', 'u', 'f')`, `('p', 'u', 'f', 'n')`) });
    return { ...result, fields: result.fields.map((field) => (field.dataTypeID === CHAR ? { ...field, dataTypeID: BPCHAR } : field)) };
  };
  Reflect.set(adapter, 'performIO', taught);
};

/** Prisma's own schema engine on the real database, as its command line uses it. */
export const withPrismaEngine = async <T>(kind: TestDatabaseKind, url: string, work: (engine: SchemaEngine) => Promise<T>): Promise<T> => {
  const dialect = dialectNamed(kind.name);
  await diffSchemas({ from: null, to: `datasource db {\n  provider = "${kind.name}"\n}\n`, dialect });
  const factory = openFactory(kind.name, url);
  const adapters: SqlDriverAdapter[] = [];
  const tracked: SqlMigrationAwareDriverAdapterFactory = {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      adapters.push(adapter);
      if (adapter.provider === 'postgres') teachCatalogue(adapter);
      return adapter;
    },
    connectToShadowDb: () => Promise.reject(new Error('no shadow database')),
  };
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => undefined, bindMigrationAwareSqlAdapterFactory(tracked));
  try {
    return await work(engine);
  } finally {
    engine.free();
    await Promise.all(adapters.map((adapter) => adapter.dispose()));
  }
};

/** What Prisma would change in the database to make it fit the schema; empty where it fits to the last name. */
export const drift = (kind: TestDatabaseKind, { url, schema }: Bench, models: string): Promise<string> =>
  withPrismaEngine(kind, url, async (engine) => {
    const { stdout, exitCode } = await engine.diff({
      from: { tag: 'schemaDatasource', configDir: '/', files: [{ path: 'schema.prisma', content: schema(models) }] },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema(models) }] },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === 0 ? '' : (stdout ?? '');
  });

/** The error a promise ends with, which must be one of the catalogue's. */
export const failure = async (promise: Promise<unknown>): Promise<GalleyError> => {
  try {
    await promise;
  } catch (error) {
    if (isGalleyError(error)) return error;
    throw error;
  }
  throw new Error('Expected a failure, but it succeeded');
};

/** Puts a migration written by hand into the folder. */
export const writeSql = async (bench: Bench, name: string, sql: string): Promise<void> => {
  await mkdir(join(bench.folder, name), { recursive: true });
  await writeFile(join(bench.folder, name, 'migration.sql'), sql);
};
