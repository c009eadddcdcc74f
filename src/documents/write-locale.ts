import type { Transaction } from '../database/database.js';
import type { ContentType } from '../model/model.js';
import type { ParseContext, PreparedInput } from '../validation/input.js';
import { createComponentId } from './component-id.js';
import type { DocumentContext } from './document-context.js';
import type { WriteAccess } from './documents.js';
import { holdsComponent } from './stored-components.js';
import { storedValues } from './version-fields.js';
import type { VersionRow } from './version-row.js';
import { writeDocument } from './write-document.js';
import { baseRow, siblingRow } from './write-scope.js';
import type { WriteScope } from './write-scope.js';

export interface LocaleWrite {
  readonly tx: Transaction;
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string;
  readonly publish: boolean;
  readonly input: PreparedInput;
  /** Versions as they are; none for a new document. */
  readonly rows: readonly VersionRow[];
  /** Whom the write is for; unset: the server itself. */
  readonly access?: WriteAccess | undefined;
}

const parseContext = (scope: WriteScope): ParseContext => {
  const own = baseRow(scope);
  return {
    strictness: scope.publish ? 'full' : 'draft',
    stored: own === undefined ? storedValues(scope.type, siblingRow(scope), 'shared') : storedValues(scope.type, own, 'all'),
    isNew: own === undefined,
    isKnownComponent: (id) => scope.rows.some((row) => holdsComponent(scope.type, row, id)),
    newComponentId: createComponentId,
  };
};

/** The time of the write: later than every earlier one of the document, whatever the clocks of the machines that wrote them say. */
const timeAfter = (clock: () => Date, rows: readonly VersionRow[]): Date =>
  new Date(Math.max(clock().getTime(), ...rows.map(({ updatedAt }) => updatedAt.getTime() + 1)));

/** Reads the data against what is stored and writes them: a new document, another locale of one, or a version that exists. */
export async function writeLocale(context: DocumentContext, { input, ...write }: LocaleWrite): Promise<void> {
  const scope: WriteScope = { ...write, context, now: timeAfter(context.clock, write.rows) };
  await writeDocument(scope, context.inputOf(scope.type).parse(input, parseContext(scope)));
}

/** Whether a write of that status publishes: always where there are no drafts, and unless a draft was asked for. */
export function isPublishing(type: ContentType, status: 'draft' | 'published' | undefined): boolean {
  return !type.draftAndPublish || status !== 'draft';
}
