import { listLocales } from '../../access/locales.js';
import type { AccessContext } from '../../access/access.js';
import { createMediaLibrary } from '../../media/create-media-library.js';
import type { ContentSource, ImportOptions } from '../../transfer/source.js';
import { planImport } from '../../transfer/import/plan-import.js';
import type { ImportPlan } from '../../transfer/import/plan-import.js';
import { deleteProgress } from '../../transfer/import/import-context.js';
import { runImport } from '../../transfer/import/run-import.js';
import type { ImportTarget } from '../../transfer/import/import-context.js';
import { openProjectDatabase } from '../open/open-database.js';
import type { Project } from '../open/open-project.js';
import { publicPathOf } from '../open/open-project.js';

/** A planned import. */
export interface PlannedImport {
  readonly plan: ImportPlan;
  /** Runs the import. The signal ends it after the current transaction; the next import continues there. */
  readonly run: (onProgress: (detail: string) => void, signal?: AbortSignal) => Promise<void>;
}

export interface ImportRequest {
  readonly source: ContentSource;
  readonly options: ImportOptions;
  /** True to discard the state of an interrupted import. */
  readonly restarts: boolean;
  /** Receives errors that do not prevent the import. */
  readonly onError: (error: unknown) => void;
}

const openTarget = async (
  { config, model }: Project,
  { database, log }: AccessContext,
  onError: (error: unknown) => void,
): Promise<{ readonly target: ImportTarget; readonly close: () => Promise<void> }> => {
  const media = await createMediaLibrary({
    database,
    model,
    config: config.upload,
    publicPath: publicPathOf(config.server),
    onError,
  });
  const target = { database, model, media, accounts: config, ...(log === undefined ? {} : { log }) };
  return { target, close: media.close };
};

/**
 * Plans the import of content into an open database, and passes the plan to `work`.
 *
 * @throws the errors of the import
 */
export async function importInto<T>(
  project: Project,
  context: AccessContext,
  { source, options, restarts, onError }: ImportRequest,
  work: (planned: PlannedImport) => Promise<T>,
): Promise<T> {
  const { target, close } = await openTarget(project, context, onError);
  try {
    const locales = await listLocales(context);
    const defaultLocale =
      locales.find(({ isDefault }) => isDefault)?.code ?? project.config.i18n.defaultLocale;
    const request = { target, source, options, restarts, model: project.model, defaultLocale };
    const prepared = await planImport(request);
    return await work({
      plan: prepared.plan,
      run: async (onProgress, signal) => {
        if (restarts) await target.database.transact(deleteProgress);
        await runImport({ target, source, options, ...prepared, onProgress, signal });
      },
    });
  } finally {
    await close();
  }
}

/**
 * Plans the import of content into a project's database, and passes the plan to `work`.
 *
 * @throws `project/pending-migrations`, `database/unreachable`, and the errors of the import
 */
export async function importContent<T>(
  project: Project,
  request: ImportRequest,
  work: (planned: PlannedImport) => Promise<T>,
): Promise<T> {
  const { context, close } = await openProjectDatabase(project);
  try {
    return await importInto(project, context, request, work);
  } finally {
    await close();
  }
}
