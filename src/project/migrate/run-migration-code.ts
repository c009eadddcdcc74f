import { join } from 'node:path';
import { evaluateModule } from '../../config/module-loader.js';
import type { Database } from '../../database/database.js';
import { openDatabase } from '../../database/open-database.js';
import { createClient } from '../../database/prisma/in-memory-client.js';
import { createGetRepository } from '../../documents/create-repository.js';
import { createDocumentHooks } from '../../documents/hooks.js';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { createDisposer } from '../../lib/resources.js';
import type { Disposer } from '../../lib/resources.js';
import { describeLoadFailure, findSource, messageOf } from '../../lib/caught-errors.js';
import { propertyOf } from '../../lib/records.js';
import { relativePath } from '../../lib/text.js';
import { codeStatePrefix } from '../../migrations/apply/run-code.js';
import type { CodeRun, RunCode } from '../../migrations/apply/run-code.js';
import { isContentChanged } from '../../migrations/content/content-transition.js';
import { contentAfterMigrations, schemaAfterMigrations } from '../../migrations/files/load-migrations.js';
import { contentSnapshotOf, modelOfSnapshot } from '../../migrations/files/snapshots.js';
import type { ContentModel } from '../../model/model.js';
import { printProjectSchema } from '../generated-files.js';
import { bootstrapProjectAccess, loadLocales } from '../open/open-database.js';
import { openDocuments } from '../open/open-documents.js';
import type { Project } from '../open/open-project.js';
import { createBatches } from './migration-context.js';
import type { MigrationCode, MigrationContext, SqlTag } from './migration-context.js';

interface FailedCode {
  readonly root: string;
  /** The name of the migration. */
  readonly name: string;
  /** The absolute path of its code. */
  readonly file: string;
}

/** Creates the error of code that cannot be loaded. */
function invalidCodeError({ root, name, file }: FailedCode, cause: unknown): GalleyError {
  return createError(
    'migration/invalid-code',
    { name, ...describeLoadFailure(root, file, cause) },
    { cause },
  );
}

/** Creates the error of code that threw, with the file and the line. */
function failedCodeError({ root, name, file }: FailedCode, cause: unknown): GalleyError {
  return createError(
    'migration/code-failed',
    {
      name,
      location: findSource(root, cause) ?? relativePath(root, file),
      reason: messageOf(cause),
    },
    { cause },
  );
}

/** Receives the console lines of migrations. */
export type MigrationLog = (message: string) => void;

const loadCode = async (code: FailedCode): Promise<MigrationCode> => {
  const loaded = await evaluateModule(code.file).catch((error: unknown) => {
    throw invalidCodeError(code, error);
  });
  const exported = propertyOf(loaded, 'default');
  if (typeof exported !== 'function')
    throw invalidCodeError(code, new Error('its default export is not a function'));
  return async (context) => {
    await Reflect.apply(exported, undefined, [context]);
  };
};

/** The content model and the Prisma schema of a database. */
interface Stage {
  readonly model: ContentModel;
  readonly schemaText: string;
}

/**
 * Returns the content-types after the given migrations, not the present ones.
 *
 * @throws `migration/code-without-model` if an older release did not record them, and they have changed
 */
const stageAfter = async (project: Project, { migration, migrations }: CodeRun): Promise<Stage> => {
  const schemaText = schemaAfterMigrations(migrations);
  const content = contentAfterMigrations(migrations);
  if (schemaText === null) throw createError('migration/code-without-model', { name: migration.name });
  // Prefer the current model, since the recorded one contains only facts about stored values.
  const isCurrent =
    content === null
      ? schemaText === (await printProjectSchema(project))
      : !isContentChanged(contentSnapshotOf(project.definitions), migrations);
  if (isCurrent) return { model: project.model, schemaText };
  if (content === null) throw createError('migration/code-without-model', { name: migration.name });
  return { model: modelOfSnapshot(migration.name, content), schemaText };
};

const createSqlTag =
  ({ transact, dialect }: Database): SqlTag =>
  (text, ...values) =>
    transact((tx) =>
      tx.query(
        text.reduce((sql, part, index) => sql + dialect.expressions.placeholder(index) + part),
        values,
      ),
    );

const openContext = async (
  { config, dialect }: Project,
  { model, schemaText }: Stage,
  { migration, onProgress }: CodeRun,
  log: MigrationLog,
  disposer: Disposer,
): Promise<MigrationContext> => {
  const database = await openDatabase({
    dialect,
    url: config.database.url,
    directUrl: config.database.directUrl,
    loadClient: () => createClient({ schemaText, provider: dialect.schema.provider }),
  });
  disposer.add(database.close);
  await bootstrapProjectAccess({ database, model }, config);
  const locales = await loadLocales({ database, model, salt: config.secrets.apiTokenSalt }, config);
  const onError = (error: unknown): void =>
    log(`A background task failed: ${error instanceof Error ? error.message : String(error)}`);
  const hooks = createDocumentHooks({ onError });
  const opened = await openDocuments({ config, model, database, locales, hooks, onError }, disposer);
  const documents = createGetRepository({
    model,
    documents: opened.documents,
    defaultLocale: locales.defaultCode,
  });
  const progress = (completed: number, total: number): void => onProgress(`${completed} of ${total}`);
  const statePrefix = codeStatePrefix(migration.name);
  return {
    documents,
    batches: createBatches({ database, model, documents, statePrefix, onProgress: progress }),
    prisma: await database.loadClient(),
    sql: createSqlTag(database),
    log: (message) => log(`${migration.name}: ${message}`),
    progress,
  };
};

/**
 * Creates the function that runs the migrate.ts of migrations, each with the content-types of that migration.
 * Hooks of the project do not run.
 */
export function createRunCode(project: Project, log: MigrationLog): RunCode {
  return async (run) => {
    const { name, codeFile } = run.migration;
    const file = join(project.paths.migrations, name, codeFile ?? '');
    const source = { root: project.root, name, file };
    const code = await loadCode(source);
    const disposer = createDisposer();
    try {
      const context = await openContext(project, await stageAfter(project, run), run, log, disposer);
      await Promise.resolve(code(context)).catch((error: unknown) => {
        throw failedCodeError(source, error);
      });
    } finally {
      await disposer.close();
    }
  };
}
