import type { Database, Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { readState, writeState } from '../stored-state.js';
import type { ContentSource } from '../source.js';
import type { ImportOptions } from './import-options.js';
import type { ExistingDocuments } from './target.js';

const PROGRESS_KEY = 'import';
const EXISTING_KEY = 'import-existing';

/**
 * Progress of an import. It is stored in each transaction of the import, so that an interrupted import
 * continues.
 */
export interface Progress {
  /** Identifies the source and the options of the import. */
  readonly identity: string;
  readonly description: string;
  /** The number of completed steps. */
  readonly step: number;
  /** The number of completed items of the current step. */
  readonly done: number;
  /** Offsets added to the ids of rows, by the uid of their type. */
  readonly offsets: Readonly<Record<string, number>>;
}

/** An import that was interrupted, with the documents that the database had before it. */
export interface Interrupted {
  readonly progress: Progress;
  readonly existing: ExistingDocuments;
}

/** Returns the identity of an import: the same text for the same content and options. */
export function identityOf(
  { fingerprint }: ContentSource,
  { parts, types, existing }: ImportOptions,
): string {
  return JSON.stringify([
    fingerprint,
    [...parts].toSorted(),
    types === null ? null : [...types].toSorted(),
    existing,
  ]);
}

const parseExisting = (value: unknown): ExistingDocuments =>
  new Map(
    Object.entries(isRecord(value) ? value : {}).map(([uid, ids]) => [
      uid,
      new Set(Array.isArray(ids) ? ids.map(String) : []),
    ]),
  );

/**
 * Returns the import that was interrupted. Null: none was.
 *
 * @throws `transfer/unfinished-import` if it was another one
 */
export async function findInterrupted(database: Database, identity: string): Promise<Interrupted | null> {
  return database.transact(async (tx) => {
    const progress = (await readState(tx, PROGRESS_KEY)) as Progress | null;
    if (progress === null) return null;
    if (progress.identity !== identity)
      throw createError('transfer/unfinished-import', { description: progress.description });
    return { progress, existing: parseExisting(await readState(tx, EXISTING_KEY)) };
  });
}

export async function saveProgress(tx: Transaction, progress: Progress): Promise<void> {
  await writeState(tx, PROGRESS_KEY, progress);
}

/** Keeps what the database had before the import, which cannot be told afterwards. */
export async function saveExisting(tx: Transaction, existing: ExistingDocuments): Promise<void> {
  const entries = [...existing].map(([uid, ids]) => [uid, [...ids]] as const);
  await writeState(tx, EXISTING_KEY, Object.fromEntries(entries));
}

/** Forgets an import, which has ended or is not to go on. */
export async function forgetProgress(tx: Transaction): Promise<void> {
  await tx.model('SystemState').deleteMany({ where: { key: { in: [PROGRESS_KEY, EXISTING_KEY] } } });
}
