import { createError } from '../../../errors/catalogue.js';
import { deepFreeze, isRecord } from '../../../lib/records.js';
import type { ContentType } from '../../../model/model.js';
import { parseReadQuery } from '../../../query/parse/parse-read-query.js';
import type { ReadQuery } from '../../../query/query.js';
import { fromClient } from '../../../query/read-access.js';
import { invalidParameter } from '../../../query/read-context.js';
import { countNoun } from '../../../lib/text.js';
import { sentStatus } from '../../../query/parse/parse-version.js';
import type { CutPointers, ValuePath } from '../fit-response.js';
import type { McpCall } from '../mcp-services.js';
import {
  DOCUMENT_ARGUMENT,
  LOCALE_ARGUMENT,
  TYPE_ARGUMENT,
  assertPermitted,
  readStatusOf,
  rightsOf,
  targetTypeOf,
  unknownDocument,
  typeNamed,
  textArgument,
} from './tool.js';
import type { Arguments, Tool } from './tool.js';

const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'array', items: TEXT } as const;

const SELECTION = {
  fields: { ...TEXTS, description: 'Attributes: ["title"]. Default: all scalars.' },
  populate: {
    anyOf: [TEXTS, { type: 'object' }, TEXT],
    description: 'Relations, media, components, zones: ["author"], "*", or {"author":{"fields":["name"]}}.',
  },
  locale: LOCALE_ARGUMENT,
  status: {
    type: 'string',
    enum: ['draft', 'published'],
    description: 'Default: draft if you may read drafts.',
  },
} as const;

/** Returns the query of a call, checked against the model and the rights of the client. */
function readQueryOf(
  call: McpCall,
  type: ContentType,
  args: Arguments,
  { action, isList }: { readonly action: 'find' | 'findOne'; readonly isList: boolean },
): ReadQuery {
  const { model, limits, access } = call.services;
  const rights = rightsOf(call);
  const { filters, sort, fields, populate, locale, search } = args;
  const pagination = isList ? { start: args['start'] ?? 0, limit: args['limit'] ?? limits.defaultLimit } : {};
  const status = readStatusOf(call, type, args);
  const params = { filters, sort, fields, populate, locale, status, _q: search, pagination };
  const query = parseReadQuery(model, type.uid, params, {
    limits,
    access: rights,
    action,
    defaultLocale: access.locales.defaultCode(),
    paginated: isList,
  });
  return deepFreeze(fromClient(query, { access: rights, action, params }));
}

const printCall = (tool: string, args: Arguments): string => `${tool} ${JSON.stringify(args)}`;

/** Returns the arguments that select a version of a record. */
const versionArguments = (type: ContentType, record: unknown, args: Arguments): Arguments => ({
  type: type.uid,
  ...(isRecord(record) && type.kind === 'collectionType' ? { documentId: record['documentId'] } : {}),
  ...(args['locale'] === undefined ? {} : { locale: args['locale'] }),
  ...(args['status'] === undefined ? {} : { status: args['status'] }),
});

const listPointers = (type: ContentType, args: Arguments, records: readonly unknown[]): CutPointers => {
  const getAt = (path: ValuePath, offset: number): string => {
    const record = records[Number(path[1])];
    return printCall('get', {
      ...versionArguments(type, record, args),
      ...(path.length > 2 ? { path: path.slice(2).join('.'), offset } : {}),
    });
  };
  return {
    valueAt: getAt,
    itemsAt: (path, next) =>
      path.length === 1
        ? printCall('find', { ...args, start: Number(args['start'] ?? 0) + next })
        : getAt(path, 0),
  };
};

const find: Tool = {
  name: 'find',
  title: 'Find documents',
  description:
    'List documents of a type with filters, sort order and relations. Returns data and the total. ' +
    'Filters use Strapi operators: {"price":{"$lt":10}}, {"author":{"name":{"$eq":"Ada"}}}, $or, $and, $not.',
  properties: {
    type: TYPE_ARGUMENT,
    filters: { type: 'object', description: 'Conditions by attribute.' },
    search: { type: 'string', description: 'Text to search for.' },
    sort: { ...TEXTS, description: '["price:desc","title"].' },
    ...SELECTION,
    start: { type: 'integer', minimum: 0, description: 'Documents to skip.' },
    limit: { type: 'integer', minimum: 1, description: 'Documents to return.' },
  },
  required: ['type'],
  effect: 'reads',
  run: async (call, args) => {
    const type = targetTypeOf(call, args, 'read');
    assertPermitted(call, type, 'find');
    const query = readQueryOf(call, type, args, { action: 'find', isList: true });
    const { records, total } = await call.services.documents.findMany(query);
    const data = records.map((record): unknown => JSON.parse(record));
    const [start, limit] = [query.page?.offset ?? 0, query.page?.limit ?? data.length];
    const meta = { start, limit, ...(total === null ? {} : { total }) };
    return { body: { meta, data }, pointers: listPointers(type, args, data) };
  },
};

const MAX_OFFSET = 1_000_000_000;

const valueAt = (record: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined;
    return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, record);

/** Returns a part of one value of a record, as text. */
const readPart = (record: unknown, path: string, offset: number, room: number): Arguments => {
  const value = valueAt(record, path.split('.'));
  if (value === undefined)
    throw createError('mcp/unknown-path', {
      path,
      names: isRecord(record) ? Object.keys(record).join(', ') : '',
    });
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (offset > text.length) throw invalidParameter('offset', `the value has ${text.length} characters.`);
  // JSON escapes of line breaks and quotes lengthen the text.
  const part = text.slice(offset, offset + Math.floor(room / 2));
  const end = offset + part.length;
  return {
    path,
    ...(typeof value === 'string' ? {} : { form: 'json' }),
    offset,
    length: text.length,
    text: part,
    ...(end < text.length ? { next: end } : {}),
  };
};

const get: Tool = {
  name: 'get',
  title: 'Get one document',
  description:
    'Read one document. With path, reads one long value of it in parts: path "body" or "sections.0.text", ' +
    'and the offset at which the part starts.',
  properties: {
    type: TYPE_ARGUMENT,
    documentId: DOCUMENT_ARGUMENT,
    ...SELECTION,
    path: { type: 'string', description: 'Path of one value to read in full.' },
    offset: { type: 'integer', minimum: 0, maximum: MAX_OFFSET, description: 'First character of the part.' },
  },
  required: ['type'],
  effect: 'reads',
  run: async (call, args) => {
    const type = targetTypeOf(call, args, 'read');
    assertPermitted(call, type, 'findOne');
    const { path, offset = 0, ...version } = args;
    const [attribute = ''] = typeof path === 'string' ? path.split('.') : [];
    const isLink =
      Object.hasOwn(type.attributes, attribute) && type.attributes[attribute]?.family !== 'scalar';
    const selected = isLink ? { populate: [attribute], ...version } : version;
    const query = readQueryOf(call, type, selected, { action: 'findOne', isList: false });
    const documentId = textArgument(args, 'documentId') ?? null;
    const text =
      type.kind === 'collectionType' && documentId === null
        ? null
        : await call.services.documents.findOne(query, documentId);
    if (text === null)
      throw unknownDocument(type, documentId, [textArgument(args, 'locale'), textArgument(args, 'status')]);
    const record: unknown = JSON.parse(text);
    if (typeof path === 'string')
      return { body: readPart(record, path, Number(offset), call.abilities.maxTokens * 4) };
    const rest = (at: ValuePath, from: number): string =>
      printCall('get', { ...version, path: at.slice(1).join('.'), offset: from });
    return { body: { data: record }, pointers: { valueAt: rest, itemsAt: (at) => rest(at, 0) } };
  },
};

export const READ_TOOLS: readonly Tool[] = [find, get];

const CHECK_CONTENT = 'check_content';

/** The list of findings continues at the next `start`; a long message is not worth another call. */
const findingPointers = (args: Arguments, skipped: number): CutPointers => ({
  valueAt: () => `${CHECK_CONTENT} with type and locale`,
  itemsAt: (_path, next) => `${CHECK_CONTENT} ${JSON.stringify({ ...args, start: skipped + next })}`,
});

const checkContent: Tool = {
  name: CHECK_CONTENT,
  title: 'Check content',
  description:
    'Find missing and invalid values, dead links, missing translations, equal slugs, images without ' +
    'alternative text, unused files, and violations of project rules. Requires full access.',
  properties: {
    type: { ...TYPE_ARGUMENT, description: 'Content-type to check. Default: all, and the media library.' },
    locale: { ...LOCALE_ARGUMENT, description: 'Report this locale only. Default: all.' },
    status: { type: 'string', enum: ['draft', 'published'], description: 'Default: both.' },
    start: { type: 'integer', minimum: 0, description: 'Number of findings to skip.' },
  },
  required: [],
  effect: 'reads',
  run: async (call, args) => {
    if (call.caller.grants.kind !== 'all')
      throw createError('mcp/forbidden', { action: 'check', type: 'content', permission: 'full access' });
    const name = textArgument(args, 'type');
    const status = sentStatus(args['status']);
    const report = await call.services.checkContent({
      type: name === undefined ? null : typeNamed(call, name),
      locale: textArgument(args, 'locale'),
      ...(status === undefined ? {} : { statuses: [status] }),
    });
    const { findings, counts, errors, warnings, documents } = report;
    const start = Number(args['start'] ?? 0);
    const summary = `${countNoun(errors, 'error')}, ${countNoun(warnings, 'warning')}`;
    return {
      body: {
        checked: `${countNoun(documents, 'document')}: ${summary}`,
        counts,
        findings: findings.slice(start),
      },
      pointers: findingPointers(args, start),
    };
  },
};

export const CHECK_TOOLS: readonly Tool[] = [checkContent];
