import { isDeepStrictEqual } from 'node:util';
import type { BulkItem, BulkOutcome, DocumentService } from '../../../documents/documents.js';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/records.js';
import { countNoun } from '../../../lib/text.js';
import type { ContentType } from '../../../model/model.js';
import { parseReadQuery, parseSelection } from '../../../query/parse/parse-read-query.js';
import type { Selection } from '../../../query/query.js';
import { accessAtStatus, defaultStatusOfCode } from '../../../query/read-access.js';
import type { ReadAccess } from '../../../query/read-access.js';
import { populatableNames, selectableFields } from '../../../query/schema-fields.js';
import { isCutText } from '../fit-response.js';
import type { McpCall } from '../mcp-services.js';
import { assertConfirmation, issueConfirmation } from '../plans.js';
import { unknownDocument, isPermitted, rightsOf } from './tool.js';
import type { Arguments, ToolResult } from './tool.js';

type Values = Readonly<Record<string, unknown>>;

/** The change of one attribute. Without `before`, the client may not read the earlier value. */
interface AttributeChange {
  readonly attribute: string;
  readonly before?: unknown;
  readonly after: unknown;
}

const MAX_SHOWN = 300;

const shortenValue = (value: unknown): unknown => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === undefined || text.length <= MAX_SHOWN) return value;
  return `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`;
};

type Params = { readonly fields: readonly string[]; readonly populate: readonly string[] };

/** Returns the parameters that read the named attributes, as far as a permission covers them. */
const paramsOf = (
  type: ContentType,
  names: readonly string[],
  access: Pick<ReadAccess, 'scopeOf'>,
  action: string,
): Params => {
  const covered = access.scopeOf?.(type.uid, action)?.fields ?? null;
  const isCovered = (name: string): boolean => covered === null || covered.has(name);
  const fields = selectableFields(type).filter((name) => names.includes(name) && isCovered(name));
  const populate = populatableNames(type).filter((name) => names.includes(name) && isCovered(name));
  return { fields: fields.length === 0 ? ['documentId'] : fields, populate };
};

/** Returns the selection that reads the written attributes back. */
export function writtenSelection(
  call: McpCall,
  type: ContentType,
  names: readonly string[],
  action: 'create' | 'update',
): Selection {
  const { model, limits } = call.services;
  const access = rightsOf(call);
  const scope = access.canFind(type.uid) ? 'find' : action;
  const params = paramsOf(type, names, accessAtStatus(access, 'draft'), scope);
  return parseSelection(model, type.uid, params, { limits, access, action, status: 'draft' });
}

/**
 * Returns the values of a document before a write. Null: there is no such version, or the client may not read
 * it.
 */
export async function valuesBefore(
  call: McpCall,
  type: ContentType,
  { documentId, locale, names }: { documentId: string | null; locale: string; names: readonly string[] },
): Promise<Values | null> {
  if (!isPermitted(call, type, 'findOne')) return null;
  const { model, limits, documents } = call.services;
  const access = rightsOf(call);
  const status = type.draftAndPublish ? defaultStatusOfCode(access, type) : 'published';
  const params = { ...paramsOf(type, names, accessAtStatus(access, status), 'findOne'), locale, status };
  const query = parseReadQuery(model, type.uid, params, {
    limits,
    access,
    action: 'findOne',
    defaultLocale: locale,
    paginated: false,
  });
  const text = await documents.findOne(query, documentId);
  const values: unknown = text === null ? null : JSON.parse(text);
  return isRecord(values) ? values : null;
}

/** Returns the attributes whose values differ, in the order of the data. */
export function compareValues(
  names: readonly string[],
  before: Values | null,
  after: Values,
): readonly AttributeChange[] {
  return names
    .filter((name) => Object.hasOwn(after, name))
    .filter((name) => before === null || !isDeepStrictEqual(before[name], after[name]))
    .map((attribute) => ({
      attribute,
      ...(before !== null && Object.hasOwn(before, attribute)
        ? { before: shortenValue(before[attribute]) }
        : {}),
      after: shortenValue(after[attribute]),
    }));
}

/** Documents that a plan describes one by one. */
export const MAX_DESCRIBED = 20;

/** Returns the first text attribute of documents, so that people recognize them. */
export async function labelDocuments(
  call: McpCall,
  type: ContentType,
  documentIds: readonly string[],
): Promise<readonly Values[]> {
  const ids = documentIds.slice(0, MAX_DESCRIBED);
  const label = selectableFields(type).find((name) => type.attributes[name]?.type === 'string');
  if (label === undefined) return ids.map((documentId) => ({ documentId }));
  const names = [label];
  const { locales } = call.services.access;
  return Promise.all(
    ids.map(async (documentId) => {
      const values = await valuesBefore(call, type, { documentId, locale: locales.defaultCode(), names });
      const value = values?.[label];
      return { documentId, ...(value === undefined ? {} : { [label]: shortenValue(value) }) };
    }),
  );
}

/** The writes of one call, and their description. */
interface PlannedWrites {
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
