import type { BulkItem } from '../../../documents/documents.js';
import { parseBulkItems } from '../../../documents/write/parse-bulk-items.js';
import { createError } from '../../../errors/catalogue.js';
import type { ContentType } from '../../../model/model.js';
import { sentLocale } from '../../../query/parse/parse-version.js';
import { labelDocuments, writtenSelection, describeItems, runWrites } from './run-writes.js';
import type { McpCall } from '../mcp-services.js';
import { documentState } from '../plans.js';
import {
  CONFIRM_ARGUMENT,
  DOCUMENT_ARGUMENT,
  DRY_RUN_ARGUMENT,
  IF_MATCH_ARGUMENT,
  TYPE_ARGUMENT,
  assertPermitted,
  rightsOf,
  targetTypeOf,
  unknownDocument,
  invalidArgument,
  textArgument,
} from './tool.js';
import type { Arguments, Tool, ToolResult } from './tool.js';

const VERBS = {
  publish: { past: 'Published', conditional: 'Would publish', losesContent: false },
  unpublish: { past: 'Unpublished', conditional: 'Would unpublish', losesContent: true },
  discardDraft: {
    past: 'Discarded the draft of',
    conditional: 'Would discard the draft of',
    losesContent: true,
  },
  delete: { past: 'Deleted', conditional: 'Would delete', losesContent: true },
} as const;

type Action = keyof typeof VERBS;

const TARGET_ARGUMENTS = {
  type: TYPE_ARGUMENT,
  documentId: DOCUMENT_ARGUMENT,
  documentIds: { type: 'array', items: { type: 'string' }, description: 'Several documents.' },
  locale: {
    type: 'string',
    description: 'Locale code, or * for all (delete only). Default: the default locale.',
  },
  ifMatch: IF_MATCH_ARGUMENT,
  dryRun: DRY_RUN_ARGUMENT,
  confirm: CONFIRM_ARGUMENT,
} as const;

/** Returns the documents that a call names. */
const targetsOf = async (
  call: McpCall,
  type: ContentType,
  tool: string,
  args: Arguments,
): Promise<readonly string[]> => {
  if (type.kind === 'singleType') {
    const documentId = await call.services.documents.singleDocumentId(type.uid);
    if (documentId === null) throw unknownDocument(type, null);
    return [documentId];
  }
  const { documentIds } = args;
  const documentId = textArgument(args, 'documentId');
  const named = [
    ...(documentId === undefined ? [] : [documentId]),
    ...(Array.isArray(documentIds) ? documentIds : []),
  ];
  if (named.length > 0) return [...new Set(named.map(String))];
  throw invalidArgument(tool, 'documentId', {
    reason: 'is missing',
    remedy: 'Send documentId or documentIds; find lists them.',
  });
};

const changeVersions = async (
  call: McpCall,
  args: Arguments,
  { tool, action }: { readonly tool: string; readonly action: Action },
): Promise<ToolResult> => {
  const type = targetTypeOf(call, args, 'write');
  assertPermitted(call, type, action === 'delete' ? 'delete' : 'update');
  if (action !== 'delete' && !type.draftAndPublish)
    throw createError('request/no-drafts', { type: type.uid, verb: action });
  const documentIds = await targetsOf(call, type, tool, args);
  const { ifMatch } = args;
  if (ifMatch !== undefined && documentIds.length > 1)
    throw invalidArgument(tool, 'ifMatch', {
      reason: 'belongs to one document',
      remedy: 'Send one documentId.',
    });
  const { access, maxBulk } = call.services;
  const items: readonly BulkItem[] = parseBulkItems(
    documentIds.map((documentId) => ({ action, documentId, ifMatch })),
    {
      type: type.uid,
      locale: sentLocale(args['locale']),
      defaultLocale: access.locales.defaultCode(),
      status: undefined,
      defaultStatus: 'draft',
      access: rightsOf(call),
      selectionOf: () => writtenSelection(call, type, [], 'update'),
      maxItems: maxBulk,
    },
  );
  // A deleted document has no label.
  const labels = await labelDocuments(call, type, documentIds);
  const { past, conditional, losesContent } = VERBS[action];
  const locale = type.localized ? ` (${textArgument(args, 'locale') ?? access.locales.defaultCode()})` : '';
  return runWrites(call, {
    tool,
    args,
    type,
    items,
    needsConfirmation: losesContent || items.length > 1,
    state: () => documentState(call.services, type, documentIds),
    summary: (isDone) => `${isDone ? past : conditional} ${describeItems(type, documentIds)}${locale}.`,
    details: () => ({ documents: labels }),
  });
};

const publish: Tool = {
  name: 'publish',
  title: 'Publish, unpublish, discard drafts',
  description:
    'Publish drafts, take documents offline (unpublish), or reset drafts to their published version ' +
    '(discard). All but publishing one document return a plan first.',
  properties: {
    ...TARGET_ARGUMENTS,
    action: {
      type: 'string',
      enum: ['publish', 'unpublish', 'discard'],
      description: 'Default: publish.',
    },
  },
  required: ['type'],
  effect: 'writes',
  run: (call, args) => {
    const { action = 'publish' } = args;
    return changeVersions(call, args, {
      tool: 'publish',
      action: action === 'discard' ? 'discardDraft' : action === 'unpublish' ? 'unpublish' : 'publish',
    });
  },
};

const remove: Tool = {
  name: 'delete',
  title: 'Delete documents',
  description: 'Delete documents in one or all locales. Always returns a plan first.',
  properties: TARGET_ARGUMENTS,
  required: ['type'],
  effect: 'destroys',
  isAvailable: ({ deletes }) => deletes,
  run: (call, args) => changeVersions(call, args, { tool: 'delete', action: 'delete' }),
};

export const VERSION_TOOLS: readonly Tool[] = [publish, remove];
