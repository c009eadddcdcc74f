import { readFile } from 'node:fs/promises';
import { dialectNamed } from '../../src/dialects/dialect-named.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import type { Database } from '../../src/database/database.js';
import { openDatabase } from '../../src/database/open-database.js';
import { createClient } from '../../src/migrations/create-client.js';
import { planMigration } from '../../src/migrations/plan.js';
import type { ContentModel } from '../../src/model/model.js';
import { printPrismaSchema } from '../../src/prisma-schema/print-prisma-schema.js';
import { createReadCompiler } from '../../src/sql/read-compiler.js';
import type { ReadCompiler } from '../../src/sql/read-compiler.js';
import type { TestDatabaseKind } from './databases.js';
import { loadFixtureModel, modelFrom } from './models.js';
import type { ProjectLiteral } from './models.js';

/** A model with an open, migrated, empty database of its own. */
export interface World {
  readonly model: ContentModel;
  readonly dialect: Dialect;
  readonly url: string;
  readonly database: Database;
  readonly compiler: ReadCompiler;
  /** Opens the same database once more, as another process would. */
  readonly reopen: () => Promise<Database>;
  readonly close: () => Promise<void>;
}

export interface WorldOptions {
  /** A fixture's name, object literals, or a model. */
  readonly model: 'magazine' | 'launchpad' | ProjectLiteral | ContentModel;
  readonly database: TestDatabaseKind;
}

const isModel = (model: ProjectLiteral | ContentModel): model is ContentModel => 'typesByUid' in model;

const loadModel = async (model: WorldOptions['model']): Promise<ContentModel> => {
  if (typeof model === 'string') return loadFixtureModel(model);
  return isModel(model) ? model : modelFrom(model);
};

const basePath = new URL('../../prisma/base.prisma', import.meta.url);

const scripts = new Map<string, Promise<string>>();

/** The SQL that makes an empty database fit the schema; planned once per text. */
const createScript = (schemaText: string, dialect: Dialect): Promise<string> => {
  const key = `${dialect.name}\n${schemaText}`;
  const known = scripts.get(key) ?? planMigration({ previousSchema: null, nextSchema: schemaText, dialect }).then(({ sql }) => sql);
  scripts.set(key, known);
  return known;
};

const applyScript = async (dialect: Dialect, url: string, script: string): Promise<void> => {
  const session = await dialect.migrations.openSession(url, { waitMs: 10_000, isWritten: true });
  try {
    await session.exclusively(() => session.script(script));
  } finally {
    await session.close();
  }
};

/**
 * Model → Prisma schema → migrated database → client → open database: what contract tests of every room stand on. Close it in `afterAll`.
 *
 * @example
 * describe.each(databases)('reading on $name', (database) => {
 *   let world: World;
 *   beforeAll(async () => { world = await createWorld({ model: 'magazine', database }); });
 *   afterAll(() => world.close());
 * });
 */
export async function createWorld({ model: wanted, database: kind }: WorldOptions): Promise<World> {
  const [model, base, { url, drop }] = await Promise.all([loadModel(wanted), readFile(basePath, 'utf8'), kind.create()]);
  const dialect = dialectNamed(kind.name);
  const schemaText = printPrismaSchema({ model, dialect, base });
  await applyScript(dialect, url, await createScript(schemaText, dialect));
  const open = (): Promise<Database> => openDatabase({ dialect, url, loadClient: () => createClient({ schemaText, provider: dialect.prismaProvider }) });
  const opened: Database[] = [];
  const reopen = async (): Promise<Database> => {
    const another = await open();
    opened.push(another);
    return another;
  };
  const database = await reopen();
  return {
    model,
    dialect: database.dialect,
    url,
    database,
    compiler: createReadCompiler(model, database.dialect),
    reopen,
    close: async () => {
      await Promise.all(opened.map((each) => each.close()));
      await drop();
    },
  };
}
