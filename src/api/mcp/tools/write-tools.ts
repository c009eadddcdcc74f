import type { BulkItem, BulkOutcome } from '../../../documents/documents.js';
import { parseBulkItems } from '../../../documents/write/parse-bulk-items.js';
import { memoize } from '../../../lib/collections.js';
import { didYouMean } from '../../../lib/nearest.js';
import { isRecord } from '../../../lib/records.js';
import type { ContentType } from '../../../model/model.js';
import { sentLocale, sentStatus } from '../../../query/parse/parse-version.js';
import {
  MAX_DESCRIBED,
  compareValues,
  valuesBefore,
  writtenSelection,
  assertWholeTexts,
  describeItems,
  documentIdsOf,
  runWrites,
} from './run-writes.js';
import type { McpCall } from '../mcp-services.js';
import { countState, documentState } from '../plans.js';
import {
  CONFIRM_ARGUMENT,
  DOCUMENT_ARGUMENT,
  DRY_RUN_ARGUMENT,
  IF_MATCH_ARGUMENT,
  LOCALE_ARGUMENT,
  TYPE_ARGUMENT,
  assertPermitted,
  localeOf,
  rightsOf,
  targetTypeOf,
  visibleAttributes,
  invalidArgument,
  textArgument,
} from './tool.js';
import type { Arguments, Tool } from './tool.js';

type Values = Readonly<Record<string, unknown>>;

const WRITE_ARGUMENTS = {
  locale: LOCALE_ARGUMENT,
  status: {
    type: 'string',
    enum: ['draft', 'published'],
    description: 'published also publishes. Default: draft.',
  },
  dryRun: DRY_RUN_ARGUMENT,
  confirm: CONFIRM_ARGUMENT,
} as const;

/** Returns the names of attributes that any of the items writes. */
const writtenNames = (items: readonly unknown[]): readonly string[] => {
  const data = items.map((item) => (isRecord(item) && isRecord(item['data']) ? item['data'] : {}));
  return [...new Set(data.flatMap(Object.keys))];
};

/** @throws `mcp/invalid-argument` for a name that is no attribute, with the nearest one and all names */
const assertAttributes = (call: McpCall, tool: string, type: ContentType, names: readonly string[]): void => {
  const unknown = names.find((name) => !Object.hasOwn(type.attributes, name));
  if (unknown === undefined) return;
  const isVisible = visibleAttributes(call, type);
  const known = Object.keys(type.attributes).filter(
    (name) => isVisible(name) && type.attributes[name]?.private === false,
  );
  throw invalidArgument(tool, `data.${unknown.slice(0, 60)}`, {
    reason: `is not an attribute of ${type.uid}`,
    remedy: `${didYouMean(unknown, known)} Attributes are ${known.join(', ')}.`.trim(),
  });
};

const parseItems = (
  call: McpCall,
  type: ContentType,
  {
    tool,
    args,
    items,
  }: { readonly tool: string; readonly args: Arguments; readonly items: readonly Values[] },
): readonly BulkItem[] => {
  const { access, maxBulk } = call.services;
  assertWholeTexts(items, 'items');
  const names = writtenNames(items);
  assertAttributes(call, tool, type, names);
  return parseBulkItems(items, {
    type: type.uid,
    locale: sentLocale(args['locale']),
    defaultLocale: access.locales.defaultCode(),
    status: sentStatus(args['status']),
    defaultStatus: 'draft',
    access: rightsOf(call),
    selectionOf: memoize((action) =>
      writtenSelection(call, type, names, action === 'create' ? 'create' : 'update'),
    ),
    maxItems: maxBulk,
  });
};

/** Returns the values that an item was written with, as the response may contain them. */
const valuesOf = (outcome: BulkOutcome | undefined): Values => {
  const text = outcome !== undefined && 'record' in outcome ? outcome.record : null;
  const values: unknown = text === null ? null : JSON.parse(text);
  return isRecord(values) ? values : {};
};

const describeTarget = (type: ContentType, call: McpCall, args: Arguments): string => {
  const parts = [
    ...(type.localized ? [localeOf(call, args)] : []),
    ...(type.draftAndPublish ? [textArgument(args, 'status') ?? 'draft'] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
};

/** Returns the one item or the list of a call. */
const sentItems = (
  tool: string,
  args: Arguments,
  single: () => Values,
  itemOf: (item: Values) => Values,
): readonly Values[] => {
  const { data, items } = args;
  if ((data === undefined) === (items === undefined))
    throw invalidArgument(tool, 'data', {
      reason: 'must be sent, or items, but not both',
      remedy: 'Send data for one document, or items for several.',
    });
  if (!Array.isArray(items)) return [single()];
  return items.map((item: unknown, index) => {
    if (isRecord(item)) return itemOf(item);
    throw invalidArgument(tool, `items.${index}`, {
      reason: 'must be an object',
      remedy: 'See describe_type for example data.',
    });
  });
};

const create: Tool = {
  name: 'create',
  title: 'Create documents',
  description:
    'Create one document from data, or several from items: a list of data objects. Drafts unless status is ' +
    'published. Several documents return a plan first.',
  properties: {
    type: TYPE_ARGUMENT,
    data: { type: 'object', description: 'Values by attribute; see the example of describe_type.' },
    items: { type: 'array', items: { type: 'object' }, description: 'Data of several documents.' },
    ...WRITE_ARGUMENTS,
  },
  required: ['type'],
  effect: 'writes',
  run: async (call, args) => {
    const type = targetTypeOf(call, args, 'write');
    if (type.kind === 'singleType')
      throw invalidArgument('create', 'type', {
        reason: `is the single type ${type.uid}, which has one document`,
        remedy: 'Write it with update, without documentId.',
      });
    assertPermitted(call, type, 'create');
    const sent = sentItems(
      'create',
      args,
      () => ({ action: 'create', data: args['data'] }),
      (data) => ({ action: 'create', data }),
    );
    const names = writtenNames(sent);
    const target = describeTarget(type, call, args);
    return runWrites(call, {
      tool: 'create',
      args,
      type,
      items: parseItems(call, type, { tool: 'create', args, items: sent }),
      needsConfirmation: sent.length > 1,
      state: () => countState(call.services, type),
      summary: (isDone) =>
        `${isDone ? 'Created' : 'Would create'} ${describeItems(
          type,
          sent.map(() => undefined),
        )}${target}.`,
      details: (outcomes, isDone) => {
        const documents = outcomes.slice(0, isDone ? outcomes.length : MAX_DESCRIBED).map((outcome) => ({
          // The ids of a plan are never used.
          ...(isDone ? { documentId: documentIdsOf([outcome])[0] } : {}),
          ...(isDone && sent.length > 1 ? {} : { changes: compareValues(names, null, valuesOf(outcome)) }),
        }));
        return documents.length === 1 ? { ...documents[0] } : { documents };
      },
    });
  },
};

/** Returns the item that writes the document of a single type, which may not exist yet. */
const singleItem = async (call: McpCall, type: ContentType, args: Arguments): Promise<Values> => {
  const documentId = await call.services.documents.singleDocumentId(type.uid);
  return documentId === null
    ? { action: 'create', data: args['data'], ifMatch: args['ifMatch'] }
    : { action: 'update', documentId, data: args['data'], ifMatch: args['ifMatch'] };
};

const updateItems = async (call: McpCall, type: ContentType, args: Arguments): Promise<readonly Values[]> => {
  if (type.kind === 'singleType') return [await singleItem(call, type, args)];
  const { ifMatch } = args;
  if (args['items'] !== undefined && ifMatch !== undefined)
    throw invalidArgument('update', 'ifMatch', {
      reason: 'belongs to one document',
      remedy: 'Send it in each of the items.',
    });
  return sentItems(
    'update',
    args,
    () => ({ action: 'update', documentId: args['documentId'], data: args['data'], ifMatch }),
    ({ documentId, data, ...unknown }) => ({ action: 'update', documentId, data, ...unknown }),
  );
};

const documentIdsIn = (items: readonly Values[]): readonly string[] =>
  items.flatMap(({ documentId }) => (typeof documentId === 'string' ? [documentId] : []));

const update: Tool = {
  name: 'update',
  title: 'Update documents',
  description:
    'Change attributes of one document, or of several by items: [{"documentId","data","ifMatch"}]. ' +
    'Attributes that data lacks keep their values. With another locale, adds or changes that ' +
    'translation. Several documents return a plan first.',
  properties: {
    type: TYPE_ARGUMENT,
    documentId: DOCUMENT_ARGUMENT,
    data: { type: 'object', description: 'New values by attribute; null clears a value.' },
    items: { type: 'array', items: { type: 'object' }, description: 'Several documents with their data.' },
    ifMatch: IF_MATCH_ARGUMENT,
    ...WRITE_ARGUMENTS,
  },
  required: ['type'],
  effect: 'writes',
  run: async (call, args) => {
    const type = targetTypeOf(call, args, 'write');
    assertPermitted(call, type, 'update');
    const sent = await updateItems(call, type, args);
    const names = writtenNames(sent);
    const documentIds = documentIdsIn(sent);
    const items = parseItems(call, type, { tool: 'update', args, items: sent });
    const before = await Promise.all(
      sent.slice(0, MAX_DESCRIBED).map((item) =>
        valuesBefore(call, type, {
          documentId: textArgument(item, 'documentId') ?? null,
          locale: textArgument(item, 'locale') ?? localeOf(call, args),
          names,
        }),
      ),
    );
    const target = `${describeItems(
      type,
      sent.map((item) => textArgument(item, 'documentId')),
    )}${describeTarget(type, call, args)}`;
    return runWrites(call, {
      tool: 'update',
      args,
      type,
      items,
      needsConfirmation: sent.length > 1,
      state: () => documentState(call.services, type, documentIds),
      summary: (isDone) => `${isDone ? 'Updated' : 'Would update'} ${target}: ${names.join(', ')}.`,
      details: (outcomes) => {
        const documents = before.map((values, index) => ({
          documentId: documentIdsOf(outcomes.slice(index, index + 1))[0],
          changes: compareValues(names, values, valuesOf(outcomes[index])),
        }));
        return documents.length === 1 ? { ...documents[0] } : { documents };
      },
    });
  },
};

export const WRITE_TOOLS: readonly Tool[] = [create, update];
