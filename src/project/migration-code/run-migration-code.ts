import { join } from 'node:path';
import { evaluateModule } from '../../config/evaluate-module.js';
import type { Database } from '../../database/database.js';
import { openDatabase } from '../../database/open-database.js';
import { createDocumentHooks } from '../../documents/hooks.js';
import { createGetRepository } from '../../documents/repository/create-repository.js';
import { createError } from '../../errors/catalogue.js';
import { createDisposer } from '../../lib/disposer.js';
import type { Disposer } from '../../lib/disposer.js';
import { codeStatePrefix } from '../../migrations/apply/code-state.js';
import type { CodeRun, RunCode } from '../../migrations/apply/run-code.js';
import { contentSnapshotOf, modelOfSnapshot } from '../../migrations/files/content-snapshot.js';
import { isContentChanged } from '../../migrations/files/content-transition.js';
import { contentAfterMigrations, schemaAfterMigrations } from '../../migrations/files/load-migrations.js';
import type { ContentModel } from '../../model/model.js';
import { createClient } from '../../database/prisma/in-memory-client.js';
import { bootstrapProjectAccess } from '../bootstrap-project-access.js';
import { printProjectSchema } from '../generated-files.js';
import { loadLocales } from '../load-locales.js';
import { openDocuments } from '../open-documents.js';
import type { Project } from '../open-project.js';
import { createBatches } from './batches.js';
import { failedCodeError, invalidCodeError } from './code-error.js';
import type { FailedCode } from './code-error.js';
import type { MigrationCode, MigrationContext, SqlTag } from './migration-context.js';

/** Receives the lines that migrations print. */
export type MigrationLog = (message: string) => void;

const loadCode = async (code: FailedCode): Promise<MigrationCode> => {
  const loaded = await evaluateModule(code.file).catch((error: unknown) => {
    throw invalidCodeError(code, error);
  });
  const exported: unknown =
    typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, 'default') : undefined;
  if (typeof exported !== 'function')
    throw invalidCodeError(code, new Error('its default export is not a function'));
  return async (context) => {
    await Reflect.apply(exported, undefined, [context]);
  };
};

/** The content model and the Prisma schema that a database has. */
interface Stage {
  readonly model: ContentModel;
  readonly schemaText: string;
}

/**
 * Returns the content-types after the migrations, whatever they are now.
 *
 * @throws `migration/code-without-model` where older releases have not recorded them, and they have changed
 */
const stageAfter = async (project: Project, { migration, migrations }: CodeRun): Promise<Stage> => {
  const schemaText = schemaAfterMigrations(migrations);
  const content = contentAfterMigrations(migrations);
  if (schemaText === null) throw createError('migration/code-without-model', { name: migration.name });
  // The current model is more precise: the recorded one lacks what does not concern stored values.
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
 * Creates what runs the migrate.ts of migrations, each with the content-types of its time. Hooks of the
 * project do not run.
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
