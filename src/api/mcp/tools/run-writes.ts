import type { BulkItem, BulkOutcome, DocumentService } from '../../../documents/documents.js';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/records.js';
import { countNoun } from '../../../lib/text.js';
import type { ContentType } from '../../../model/model.js';
import { isCutText } from '../fit-response.js';
import type { McpCall } from '../mcp-services.js';
import { assertConfirmation, issueConfirmation } from '../plans.js';
import { unknownDocument } from './targets.js';
import type { Arguments, ToolResult } from './tool.js';

/** The writes of one call, and their description. */
export interface PlannedWrites {
  readonly tool: string;
  readonly args: Arguments;
  readonly type: ContentType;
  readonly items: readonly BulkItem[];
  /** True if the writes need a confirmation: several documents, or content that is lost. */
  readonly needsConfirmation: boolean;
  /** Returns a digest of the content that the plan was made for. */
  readonly state: () => Promise<string>;
  /** Describes the writes in words: `deletes` and the documents. `isDone` selects the past tense. */
  readonly summary: (isDone: boolean) => string;
  /** Describes the outcome in more detail. `isDone` is false for a dry run. */
  readonly details: (outcomes: readonly BulkOutcome[], isDone: boolean) => Arguments;
}

type Written = Exclude<BulkOutcome, { readonly error: unknown }>;

const recordOf = (
  documentId: string,
  written: { readonly record: string } | null,
): (Pick<Written, 'record'> & { readonly documentId: string }) | null =>
  written === null ? null : { documentId, record: written.record };

/** Runs one write. Returns null if there is no such document. */
const runOne = async (documents: DocumentService, item: BulkItem): Promise<Written | null> => {
  switch (item.action) {
    case 'create':
      return documents.create(item.params);
    case 'update':
      return recordOf(item.params.documentId, await documents.update(item.params));
    case 'delete':
      return (await documents.delete(item.params))
        ? { documentId: item.params.documentId, record: null }
        : null;
    case 'publish':
    case 'unpublish':
    case 'discardDraft':
      return recordOf(item.params.documentId, await documents[item.action](item.params));
  }
};

const runAll = async (
  documents: DocumentService,
  { type, items }: PlannedWrites,
): Promise<readonly BulkOutcome[]> => {
  const [only, ...others] = items;
  if (only === undefined || others.length > 0) return documents.bulk({ items, atomic: true });
  const written = await runOne(documents, only);
  if (written === null) {
    const documentId = only.action === 'create' ? null : only.params.documentId;
    throw unknownDocument(type, documentId, [only.params.locale]);
  }
  return [written];
};

/**
 * Runs writes, or only describes them: with `dryRun`, and as a plan if they need a confirmation that the call
 * lacks.
 *
 * @throws `mcp/plan-changed` for a confirmation of another plan
 */
export async function runWrites(call: McpCall, planned: PlannedWrites): Promise<ToolResult> {
  const { tool, args, needsConfirmation } = planned;
  const { documents, dryRun } = call.services;
  const isDryRun = args['dryRun'] === true;
  if (!isDryRun && needsConfirmation && args['confirm'] !== undefined)
    assertConfirmation(call, { tool, args, state: await planned.state() });
  else if (isDryRun || needsConfirmation) {
    const details = await dryRun(async (dry) => planned.details(await runAll(dry, planned), false));
    const body = { plan: planned.summary(false), ...details, nothingChangedYet: true };
    if (!needsConfirmation) return { body };
    const { dryRun: _dryRun, ...confirmed } = args;
    const confirm = issueConfirmation(call, { tool, args: confirmed, state: await planned.state() });
    return { body: { ...body, confirm, next: `Call ${tool} with the same arguments and confirm.` } };
  }
  const outcomes = await runAll(documents, planned);
  return { body: { done: planned.summary(true), ...planned.details(outcomes, true) } };
}

/** @throws `mcp/cut-text` if data contain a text that a response has cut */
export function assertWholeTexts(value: unknown, path = 'data'): void {
  if (typeof value === 'string') {
    if (isCutText(value)) throw createError('mcp/cut-text', { path });
  } else if (Array.isArray(value)) value.forEach((item, index) => assertWholeTexts(item, `${path}.${index}`));
  else if (isRecord(value))
    for (const [name, item] of Object.entries(value)) assertWholeTexts(item, `${path}.${name}`);
}

/** Returns `3 documents of api::article.article`, or the only document. */
export function describeItems(type: ContentType, documentIds: readonly (string | undefined)[]): string {
  const [only] = documentIds;
  if (documentIds.length !== 1) return `${countNoun(documentIds.length, 'document')} of ${type.uid}`;
  return only === undefined ? `one document of ${type.uid}` : `${type.uid} ${only}`;
}

/** Returns the ids of the written documents. */
export function documentIdsOf(outcomes: readonly BulkOutcome[]): readonly string[] {
  return outcomes.flatMap((outcome) => ('documentId' in outcome ? [outcome.documentId] : []));
}
