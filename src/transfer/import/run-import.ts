import type { Transaction } from '../../database/database.js';
import type { ContentSource } from '../source.js';
import { finishImport } from './finish-import.js';
import type { ImportOptions } from './import-options.js';
import { createLinkContext } from './import-run.js';
import type { ImportRun } from './import-run.js';
import { identityOf, saveProgress } from './progress.js';
import type { Interrupted, Progress } from './progress.js';
import type { Survey } from './survey.js';
import type { ExistingDocuments, ImportTarget } from './target.js';
import { makeRoom, writeDocuments } from './write-documents.js';
import { writeEditorial } from './write-editorial.js';
import { writeLinks } from './write-links.js';
import { writeLocales } from './write-locales.js';
import { writeVersions } from './write-versions.js';

export interface ImportWork {
  readonly target: ImportTarget;
  readonly source: ContentSource;
  readonly options: ImportOptions;
  readonly survey: Survey;
  readonly existing: ExistingDocuments;
  /** The documents that the database has, that the export lacks and that it links. */
  readonly linked: ExistingDocuments;
  readonly interrupted: Interrupted | null;
  readonly onProgress: (detail: string) => void;
  /** Ends the import after the transaction that is being written. */
  readonly signal?: AbortSignal | undefined;
}

const STEP = { locales: 0, room: 1, documents: 2, versions: 3, links: 4, editorial: 5, end: 6 } as const;

const createRun = (
  work: ImportWork,
  state: { progress: Progress; readonly existing: ExistingDocuments },
): ImportRun => ({
  ...work,
  ...createLinkContext(work.survey, { ...work, existing: state.existing }, work.options),
  existing: state.existing,
  onProgress: (detail) => {
    work.onProgress(detail);
    work.signal?.throwIfAborted();
  },
  offsetOf: (uid) => state.progress.offsets[uid] ?? 0,
  save: async (tx: Transaction, change) => {
    const next = { ...state.progress, ...change };
    await saveProgress(tx, next);
    tx.afterCommit(() => {
      state.progress = next;
      return Promise.resolve();
    });
  },
});

/**
 * Imports an export, or goes on with the import that was interrupted. Each transaction stores how far it has
 * come.
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
    next(STEP.room);
  }
  if (state.progress.step === STEP.room) {
    next(STEP.documents);
    state.existing = (await makeRoom(run)).existing;
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
