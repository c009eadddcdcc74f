import { readFile } from 'node:fs/promises';
import { getDialect } from '../../src/database/get-dialect.js';
import type { Dialect } from '../../src/database/dialect/dialect.js';
import type { Database } from '../../src/database/database.js';
import { openDatabase } from '../../src/database/open-database.js';
import { createClient } from '../../src/database/prisma/in-memory-client.js';
import { planMigration } from '../../src/migrations/plan/plan-migration.js';
import { searchedTables } from '../../src/migrations/apply/auxiliary-objects.js';
import type { ContentModel } from '../../src/model/model.js';
import { printPrismaSchema } from '../../src/generate/prisma-schema/print-prisma-schema.js';
import { createReadCompiler } from '../../src/query/compile/read-compiler.js';
import type { ReadCompiler } from '../../src/query/compile/read-compiler.js';
import { getOrCreate } from '../../src/lib/collections.js';
import { copyDatabase, createSharedDatabase, databases } from './databases.js';
import type { TestDatabase, TestDatabaseKind } from './databases.js';
import { loadFixtureModel, modelFrom } from './models.js';
import type { ProjectLiteral } from './models.js';

/** A model with an open, migrated, empty database. */
export interface TestEnvironment {
  readonly model: ContentModel;
  readonly dialect: Dialect;
  readonly url: string;
  readonly database: Database;
  readonly compiler: ReadCompiler;
  /** Opens the same database again, as another process would. */
  readonly reopen: () => Promise<Database>;
  readonly close: () => Promise<void>;
}

export interface TestEnvironmentOptions {
  /** A fixture's name, object literals, or a model. */
  readonly model: 'magazine' | 'launchpad' | ProjectLiteral | ContentModel;
  readonly database: TestDatabaseKind;
}

const isModel = (model: ProjectLiteral | ContentModel): model is ContentModel => 'typesByUid' in model;

const loadModel = async (model: TestEnvironmentOptions['model']): Promise<ContentModel> => {
  if (typeof model === 'string') return loadFixtureModel(model);
  return isModel(model) ? model : modelFrom(model);
};

const basePath = new URL('../../prisma/base.prisma', import.meta.url);

const scripts = new Map<string, Promise<string>>();

/** The SQL that creates the schema in an empty database. Planned once for each schema. */
const createScript = (schemaText: string, dialect: Dialect): Promise<string> => {
  const key = `${dialect.name}\n${schemaText}`;
  const script =
    scripts.get(key) ??
    planMigration({ previousSchema: null, nextSchema: schemaText, dialect }).then(({ sql }) => sql);
  scripts.set(key, script);
  return script;
};

const applyScript = async (
  { migrations }: Dialect,
  url: string,
  script: string,
  model: ContentModel,
): Promise<void> => {
  const session = await migrations.openSession(url, { lockTimeoutMs: 10_000, isWritable: true });
  const searched = searchedTables(model);
  const objects = [...migrations.search.objectsFor(searched), ...migrations.statistics];
  try {
    await session.runExclusive(() =>
      session.script([script, ...objects.map(({ create }) => `${create};`)].join('\n')),
    );
    await migrations.search.build?.(session, searched);
  } finally {
    await session.close();
  }
};

/** The URLs of the migrated databases of fixtures, by dialect and fixture. */
const preparedDatabases = new Map<string, Promise<string>>();

/** Creates a migrated database: of a fixture, which many tests use, a copy of one that is migrated once. */
const createMigrated = async (
  { model: option, database: kind }: TestEnvironmentOptions,
  migrate: (url: string) => Promise<void>,
): Promise<TestDatabase> => {
  const migrated = async (database: TestDatabase): Promise<TestDatabase> => {
    await migrate(database.url);
    return database;
  };
  if (typeof option !== 'string' || !databases.includes(kind)) return migrated(await kind.create());
  const url = await getOrCreate(preparedDatabases, `${kind.name} ${option}`, async () => {
    const prepared = await migrated(await createSharedDatabase(kind.name));
    return prepared.url;
  });
  return copyDatabase(kind.name, url);
};

/**
 * Creates a migrated database for a model, and opens it with a client. Contract tests of every layer use it.
 * Close it in `afterAll`.
 *
 * @example
 *   describe.each(databases)('reading on $name', (database) => {
 *     let testEnvironment: TestEnvironment;
 *     beforeAll(async () => {
 *       testEnvironment = await createTestEnvironment({ model: 'magazine', database });
 *     });
 *     afterAll(() => testEnvironment.close());
 *   });
 */
export async function createTestEnvironment(options: TestEnvironmentOptions): Promise<TestEnvironment> {
  const [model, base] = await Promise.all([loadModel(options.model), readFile(basePath, 'utf8')]);
  const dialect = getDialect(options.database.name);
  const schemaText = printPrismaSchema({ model, support: dialect.schema, base });
  const { url, drop } = await createMigrated(options, async (database) =>
    applyScript(dialect, database, await createScript(schemaText, dialect), model),
  );
  const open = (): Promise<Database> =>
    openDatabase({
      dialect,
      url,
      loadClient: () => createClient({ schemaText, provider: dialect.schema.provider }),
    });
  const openDatabases: Database[] = [];
  const reopen = async (): Promise<Database> => {
    const another = await open();
    openDatabases.push(another);
    return another;
  };
  const database = await reopen();
  return {
    model,
    dialect: database.dialect,
    url,
    database,
    compiler: createReadCompiler(model, database.dialect.expressions, {
      objects: await database.readObjects(),
    }),
    reopen,
    close: async () => {
      await Promise.all(openDatabases.map((each) => each.close()));
      await drop();
    },
  };
}
