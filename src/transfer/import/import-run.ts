import type { Transaction } from '../../database/database.js';
import type { LinkContext } from './resolve-links.js';
import type { ImportOptions } from './import-options.js';
import type { Progress } from './progress.js';
import type { Survey } from './survey.js';
import type { ExistingDocuments, ImportTarget } from './target.js';
import { Tally } from './tally.js';
import type { ContentSource } from '../source.js';

/** Context of all steps of an import. */
export interface ImportRun {
  readonly target: ImportTarget;
  readonly source: ContentSource;
  readonly options: ImportOptions;
  readonly survey: Survey;
  /** The documents that the database had before the import. */
  readonly existing: ExistingDocuments;
  readonly links: LinkContext;
  /** True if the import writes the document. */
  readonly isWritten: (uid: string, documentId: string) => boolean;
  readonly offsetOf: (uid: string) => number;
  /** Stores how far the import has come, in the transaction that does the work. */
  readonly save: (tx: Transaction, change: Partial<Pick<Progress, 'done' | 'offsets'>>) => Promise<void>;
  readonly onProgress: (detail: string) => void;
}

/** The documents that a database has. */
export interface KnownDocuments {
  /** Those of the export. */
  readonly existing: ExistingDocuments;
  /** Those that documents of the export link, apart from them. */
  readonly linked: ExistingDocuments;
}

/** Returns the context for resolving links, and a function that is true if the import writes a document. */
export function createLinkContext(
  survey: Survey,
  { existing, linked }: KnownDocuments,
  { existing: policy }: ImportOptions,
  tally: Tally = new Tally(),
): { readonly links: LinkContext; readonly isWritten: ImportRun['isWritten'] } {
  const has = (uid: string, documentId: string): boolean => existing.get(uid)?.has(documentId) === true;
  const isImported = (uid: string, documentId: string): boolean =>
    survey.selected(uid) !== undefined && survey.rows.get(uid)?.has(documentId) === true;
  return {
    links: {
      model: survey.model,
      rows: survey.rows,
      links: survey.links,
      tally,
      defaultLocale: survey.defaultLocale,
      isAvailable: (uid, documentId) =>
        isImported(uid, documentId) || has(uid, documentId) || linked.get(uid)?.has(documentId) === true,
    },
    isWritten: (uid, documentId) =>
      survey.selected(uid) !== undefined && !(policy === 'skip' && has(uid, documentId)),
  };
}
