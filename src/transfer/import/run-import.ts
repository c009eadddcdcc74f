/**
 * The folder import writes the content of a source to the database: plan-import.ts inspects the source
 * first, and this file runs the steps.
 */
import { bumpAccessVersion, bumpPublicVersion } from '../../access/access.js';
import type { Transaction } from '../../database/database.js';
import { announceReset } from '../../documents/changes/announce-changes.js';
import { FILE_UID, PERMISSION_UID } from '../../model/content-types/builtin-types.js';
import { tablesOf } from '../../model/lookup.js';
import { spaceAllLinks } from '../../query/compile/space-links.js';
import type { ContentSource, ImportOptions } from '../source.js';
import { createLinkContext, deleteProgress, identityOf, saveProgress } from './import-context.js';
import type { ExistingDocuments, ImportRun, ImportTarget, Interrupted, Progress } from './import-context.js';
import type { SourceInspection } from './inspect-source.js';
import {
  prepareDatabase,
  mergePermissions,
  selectedTypes,
  writeDocuments,
  writeEditorial,
} from './write-documents.js';
import { writeLinks } from './write-links.js';
import { writeFolders, writeLocales, writeSettings, writeTokens } from './write-settings.js';
import { writeVersions } from './write-versions.js';

/**
 * Renumbers links, so that drafts and published versions share positions. Strapi numbers each version
 * separately.
 */
const spaceImportedLinks = async ({ target, inspection }: ImportRun, tx: Transaction): Promise<void> => {
  const { model, database } = target;
  for (const { owner, attribute: name } of inspection.links.attributes()) {
    const attribute = model.typesByUid[owner]?.attributes[name];
    if (attribute === undefined || !('link' in attribute) || attribute.link === null) continue;
    for (const statement of spaceAllLinks(model, attribute.link)) {
      const { sql, parameters } = statement.compile(database.dialect.expressions.kysely);
      await tx.execute(sql, parameters);
    }
  }
};

/**
 * Ends an import: writes settings and folders, continues the numbering of ids, makes running servers reload
 * roles and locales, and updates the statistics of the database.
 */
async function finishImport(run: ImportRun): Promise<void> {
  const { target, inspection } = run;
  const { continueNumberingSql } = target.database.dialect.migrations;
  const tables = ['cms_locales', ...selectedTypes(run).map(({ storage }) => storage.version.table)];
  await target.database.transact(async (tx) => {
    if (inspection.selected(PERMISSION_UID) !== undefined) await mergePermissions(target, tx);
    if (continueNumberingSql !== null)
      for (const table of tables) await tx.query(continueNumberingSql(table, 'id'), []);
    if (run.options.parts.has('config') && run.options.types === null) {
      await writeSettings(run, tx);
      await writeTokens(run, tx);
    }
    if (inspection.selected(FILE_UID) !== undefined) await writeFolders(inspection, tx);
    await spaceImportedLinks(run, tx);
    await bumpAccessVersion(tx);
    const counts = selectedTypes(run).map(({ uid }) => [
      uid,
      inspection.rows.get(uid)?.documentIds.length ?? 0,
    ]);
    const documents = Object.fromEntries(counts.filter(([, count]) => count !== 0));
    await target.log?.record(tx, [{ action: 'import', details: { documents } }]);
    await deleteProgress(tx);
    await announceReset(target.database, tx);
  });
  const { analyzeTables } = target.database.dialect.driver;
  await target.database.transact((tx) => analyzeTables(tx, selectedTypes(run).flatMap(tablesOf), Infinity));
}

export interface ImportWork {
  readonly target: ImportTarget;
  readonly source: ContentSource;
  readonly options: ImportOptions;
  readonly inspection: SourceInspection;
  readonly existing: ExistingDocuments;
  /** Documents of the database that the export links but does not contain. */
  readonly linked: ExistingDocuments;
  readonly interrupted: Interrupted | null;
  readonly onProgress: (detail: string) => void;
  /** Ends the import after the current transaction. */
  readonly signal?: AbortSignal | undefined;
}

const STEP = {
  locales: 0,
  preparation: 1,
  documents: 2,
  versions: 3,
  links: 4,
  editorial: 5,
  end: 6,
} as const;

const createRun = (
  work: ImportWork,
  state: { progress: Progress; readonly existing: ExistingDocuments },
): ImportRun => ({
  ...work,
  ...createLinkContext(work.inspection, { ...work, existing: state.existing }, work.options),
  existing: state.existing,
  onProgress: (detail) => {
    work.onProgress(detail);
    work.signal?.throwIfAborted();
  },
  offsetOf: (uid) => state.progress.offsets[uid] ?? 0,
  save: async (tx: Transaction, change) => {
    const next = { ...state.progress, ...change };
    await saveProgress(tx, next);
    // The import may end after any transaction.
    await bumpPublicVersion(tx);
    tx.afterCommit(() => {
      state.progress = next;
      return Promise.resolve();
    });
  },
});

/**
 * Imports an export, or continues an interrupted import. Each transaction stores the progress.
 *
 * @throws the reason of the signal, once that is aborted
 */
export async function runImport(work: ImportWork): Promise<void> {
  const { source, options, interrupted } = work;
  const state = {
    existing: interrupted?.existing ?? work.existing,
    progress: interrupted?.progress ?? {
      identity: identityOf(source, options),
      description: source.description,
      step: STEP.locales,
      done: 0,
      offsets: {},
    },
  };
  const next = (step: number): void => {
    state.progress = { ...state.progress, step, done: 0 };
  };
  let run = createRun(work, state);
  if (state.progress.step === STEP.locales) {
    await writeLocales(run);
    next(STEP.preparation);
  }
  if (state.progress.step === STEP.preparation) {
    next(STEP.documents);
    state.existing = (await prepareDatabase(run)).existing;
    run = createRun(work, state);
  }
  if (state.progress.step === STEP.documents) {
    await writeDocuments(run, state.progress.done);
    next(STEP.versions);
  }
  if (state.progress.step === STEP.versions) {
    await writeVersions(run, state.progress.done);
    next(STEP.links);
  }
  if (state.progress.step === STEP.links) {
    await writeLinks(run, state.progress.done);
    next(STEP.editorial);
  }
  if (state.progress.step === STEP.editorial) {
    await writeEditorial(run, state.progress.done);
    next(STEP.end);
  }
  await finishImport(run);
}
