import type { Transaction } from '../../database/database.js';
import type { StrapiSource } from '../strapi/source.js';
import { finishImport } from './finish-import.js';
import type { ImportOptions } from './import-options.js';
import { createLinkContext } from './import-run.js';
import type { ImportRun } from './import-run.js';
import { identityOf, saveProgress } from './progress.js';
import type { Interrupted, Progress } from './progress.js';
import type { Survey } from './survey.js';
import type { ExistingDocuments, ImportTarget } from './target.js';
import { makeRoom, writeDocuments } from './write-documents.js';
import { writeLinks } from './write-links.js';
import { writeLocales } from './write-locales.js';
import { writeVersions } from './write-versions.js';

export interface ImportWork {
  readonly target: ImportTarget;
  readonly source: StrapiSource;
  readonly options: ImportOptions;
  readonly survey: Survey;
  readonly existing: ExistingDocuments;
  readonly interrupted: Interrupted | null;
  readonly onProgress: (detail: string) => void;
}

const STEP = { locales: 0, room: 1, documents: 2, versions: 3, links: 4, end: 5 } as const;

const createRun = (
  work: ImportWork,
  state: { progress: Progress; readonly existing: ExistingDocuments },
): ImportRun => ({
  ...work,
  ...createLinkContext(work.survey, state.existing, work.options),
  existing: state.existing,
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
    next(STEP.end);
  }
  await finishImport(run);
}
