import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { onTestFinished } from 'vitest';
import { getDialect } from '../../../src/database/get-dialect.js';
import type { DialectName } from '../../../src/database/dialect/dialect.js';
import type { MigrationSession, SessionRow } from '../../../src/database/dialect/migration-support.js';
import { isGalleyError } from '../../../src/errors/galley-error.js';
import type { GalleyError } from '../../../src/errors/galley-error.js';
import { applyMigrations } from '../../../src/migrations/apply/apply-migrations.js';
import type { ApplyResult } from '../../../src/migrations/apply/apply-migrations.js';
import { applyPlan, createPlan } from '../../../src/migrations/migrate.js';
import type { MigrateResult } from '../../../src/migrations/migrate.js';
import type { ApplyPlanOptions, Plan, PlannedState } from '../../../src/migrations/plan/plan-migration.js';
import type { Rename } from '../../../src/migrations/schema/renames.js';
import { diffSchemas } from '../../../src/database/prisma/schema-engine.js';
import { migrationStatus } from '../../../src/migrations/apply/migration-history.js';
import type { MigrationStatus } from '../../../src/migrations/apply/migration-history.js';
import type { TestDatabaseKind } from '../../support/databases.js';

interface MigrateCall {
  readonly label?: string;
  readonly renames?: readonly Rename[];
  readonly acceptsDataLoss?: boolean;
}

export type MigrateOptions = PlannedState & ApplyPlanOptions;

/** Plans and applies at once, with no word from a user in between. */
export const migrate = async (options: MigrateOptions): Promise<MigrateResult> =>
  applyPlan(await createPlan(options, options), options);

/** The migrations folder of a project, and one database. */
export interface MigrationFixture {
  readonly folder: string;
  readonly url: string;
  /** Completes models to a schema for this database. A complete schema stays as it is. */
  readonly schema: (models: string) => string;
  readonly migrate: (models: string, call?: MigrateCall) => Promise<MigrateResult>;
  readonly preview: (models: string, call?: MigrateCall) => Promise<Plan>;
  readonly apply: (call?: {
    readonly acceptsDataLoss?: boolean;
    readonly waitMs?: number;
  }) => Promise<ApplyResult>;
  readonly status: () => Promise<MigrationStatus>;
  /** Runs statements as an application does, with enforced foreign keys. */
  readonly run: (sql: string) => Promise<void>;
  readonly rows: (sql: string) => Promise<readonly SessionRow[]>;
  /** The same folder with another, empty database. */
  readonly withEmptyDatabase: () => Promise<MigrationFixture>;
}

/** The driver adapter that an application opens the database with. */
export const openFactory = async (name: DialectName, url: string): Promise<SqlDriverAdapterFactory> =>
  name === 'sqlite'
    ? (await getDialect(name).driver.createWriteAdapter(url)).factory
    : new PrismaPg({ connectionString: url });

const createFixtureIn = async (kind: TestDatabaseKind, folder: string): Promise<MigrationFixture> => {
  const dialect = getDialect(kind.name);
  const { url } = await kind.create();
  const schema = (models: string): string =>
    models.includes('datasource ')
      ? models
      : `datasource db {
  provider = "${kind.name}"
}

generator client {
  provider = "prisma-client-js"
}

${models.trim()}
`;
  const target = { folder, url, dialect };
  const onSession = async <T>(work: (session: MigrationSession) => Promise<T>): Promise<T> => {
    const session = await dialect.migrations.openSession(url, { lockTimeoutMs: 1000, isWritable: true });
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
    migrate: (models, call = {}) =>
      migrate({ ...target, label: 'change', ...call, nextSchema: schema(models) }),
    preview: (models, call = {}) => createPlan({ ...call, nextSchema: schema(models) }, target),
    apply: (call = {}) => applyMigrations({ ...target, ...call }),
    status: () => migrationStatus(target),
    run: (sql) => onSession((session) => session.script(sql)),
    rows: (sql) => onSession((session) => session.query(sql)),
    withEmptyDatabase: () => createFixtureIn(kind, folder),
  };
};

export const createMigrationFixture = async (kind: TestDatabaseKind): Promise<MigrationFixture> => {
  const project = await mkdtemp(join(tmpdir(), 'galley-migrations-'));
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  return createFixtureIn(kind, join(project, 'prisma', 'migrations'));
};

interface PgResult {
  readonly fields: readonly { readonly dataTypeID: number }[];
}

const CHAR = 18;
const BPCHAR = 1042;

/**
 * Lets the schema engine inspect PostgreSQL. The adapter refuses the type "char" of its catalogue, and since
 * PostgreSQL 18 the catalogue lists NOT NULL constraints, which the engine does not know.
 */
const patchCatalogueQueries = (adapter: SqlDriverAdapter): void => {
  const performIO: unknown = Reflect.get(adapter, 'performIO');
  if (typeof performIO !== 'function') throw new TypeError('The adapter has no performIO');
  const patched = async (query: SqlQuery): Promise<PgResult> => {
    const result: PgResult = await performIO.call(adapter, {
      ...query,
      sql: query.sql.replace(`('p', 'u', 'f')`, `('p', 'u', 'f', 'n')`),
    });
    return {
      ...result,
      fields: result.fields.map((field) =>
        field.dataTypeID === CHAR ? { ...field, dataTypeID: BPCHAR } : field,
      ),
    };
  };
  Reflect.set(adapter, 'performIO', patched);
};

/**
 * Lets the schema engine inspect SQLite. It quotes the name of a conditional index as an identifier, which
 * SQLite does not take for text here.
 */
const patchIndexQueries = (adapter: SqlDriverAdapter): void => {
  const queryRaw = adapter.queryRaw.bind(adapter);
  Reflect.set(adapter, 'queryRaw', (query: SqlQuery) =>
    queryRaw({
      ...query,
      sql: query.sql.replace(/^(SELECT sql FROM sqlite_master .* name = )"([^"]+)";$/, "$1'$2'"),
    }),
  );
};

/** Runs Prisma's own schema engine on the database, as its command line does. */
export const withPrismaEngine = async <T>(
  kind: TestDatabaseKind,
  url: string,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> => {
  await diffSchemas({
    from: null,
    to: `datasource db {\n  provider = "${kind.name}"\n}\n`,
    provider: kind.name,
  });
  const factory = await openFactory(kind.name, url);
  const adapters: SqlDriverAdapter[] = [];
  const tracked: SqlMigrationAwareDriverAdapterFactory = {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      adapters.push(adapter);
      if (adapter.provider === 'postgres') patchCatalogueQueries(adapter);
      else patchIndexQueries(adapter);
      return adapter;
    },
    connectToShadowDb: () => Promise.reject(new Error('no shadow database')),
  };
  const engine = await SchemaEngine.new(
    { datamodels: undefined },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(tracked),
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
    await Promise.all(adapters.map((adapter) => adapter.dispose()));
  }
};

/** The copies of rows that migrations keep in the database. They are in no schema. */
const copiesIn = async (
  kind: TestDatabaseKind,
  { rows }: Pick<MigrationFixture, 'rows'>,
): Promise<readonly string[]> =>
  (
    await rows(
      kind.name === 'sqlite'
        ? `SELECT "name" FROM sqlite_master WHERE "name" LIKE 'galley_kept_%'`
        : `SELECT table_name AS "name" FROM information_schema.tables WHERE table_schema = 'galley_kept'`,
    )
  ).map(({ name }) => String(name));

/**
 * Returns the SQL that Prisma would run to fit the database to the schema, without the copies of rows; empty
 * where it fits.
 */
export const findDrift = async (
  kind: TestDatabaseKind,
  fixture: Pick<MigrationFixture, 'url' | 'schema' | 'rows'>,
  models: string,
): Promise<string> => {
  const { url, schema } = fixture;
  // On PostgreSQL they are in a schema that Prisma does not look at.
  const externalTables = kind.name === 'sqlite' ? [...(await copiesIn(kind, fixture))] : [];
  return withPrismaEngine(kind, url, async (engine) => {
    const { stdout, exitCode } = await engine.diff({
      from: {
        tag: 'schemaDatasource',
        configDir: '/',
        files: [{ path: 'schema.prisma', content: schema(models) }],
      },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema(models) }] },
      script: true,
      exitCode: true,
      filters: { externalTables, externalEnums: [] },
    });
    return exitCode === 0 ? '' : (stdout ?? '');
  });
};

/** Returns the error of a rejected promise, which must be one of the catalogue. */
export const rejectionOf = async (promise: Promise<unknown>): Promise<GalleyError> => {
  try {
    await promise;
  } catch (error) {
    if (isGalleyError(error)) return error;
    throw error;
  }
  throw new Error('Expected a failure, but it succeeded');
};

/** Writes a migration by hand into the folder. */
export const writeSql = async (fixture: MigrationFixture, name: string, sql: string): Promise<void> => {
  await mkdir(join(fixture.folder, name), { recursive: true });
  await writeFile(join(fixture.folder, name, 'migration.sql'), sql);
};
