import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../lib/records.js';
import type { ContentType } from '../../model/model.js';
import { parseReadQuery, parseSelection } from '../../query/parse/parse-read-query.js';
import type { Selection } from '../../query/query.js';
import { accessAtStatus, defaultStatusOfCode } from '../../query/read-access.js';
import type { ReadAccess } from '../../query/read-access.js';
import { populatableNames, selectableFields } from '../../query/schema-fields.js';
import type { McpCall } from './mcp-services.js';
import { isPermitted, rightsOf } from './tools/targets.js';

type Values = Readonly<Record<string, unknown>>;

/** The change of one attribute. Without `before`, the client may not read the earlier value. */
export interface AttributeChange {
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
