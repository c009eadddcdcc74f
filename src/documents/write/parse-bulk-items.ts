import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { ValidationIssue } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';
import type { Uid, VersionStatus } from '../../model/model.js';
import { parseDocumentId, parseLocale, parseStatus } from '../../query/parse/parse-version.js';
import type { Selection } from '../../query/query.js';
import type { BulkItem, WriteAccess } from '../documents.js';
import { WRITE_ACTIONS } from '../hooks.js';
import type { WriteAction } from '../hooks.js';
import { parseRevision } from './precondition.js';

/** The permission that an action requires. */
type RequiredAction = 'create' | 'update' | 'delete';

/** Options shared by all items, and defaults for values that items omit. */
export interface BulkOptions {
  /** The type of all items, or a function that finds the type of an item; null if it does not exist. */
  readonly type: Uid | ((name: unknown) => Uid | null);
  /** The locale of the request. Default: for new documents that in their data, else the default locale. */
  readonly locale: string | undefined;
  readonly defaultLocale: string;
  /** The status of the request. Default: `defaultStatus`. */
  readonly status: VersionStatus | undefined;
  readonly defaultStatus: VersionStatus;
  readonly access: WriteAccess | undefined;
  /** Returns the selection for the returned document, for a caller with that permission. */
  readonly selectionOf: (action: RequiredAction, type: Uid) => Selection;
  readonly maxItems: number;
  /** True if new documents may come with their documentId. */
  readonly allowsNewIds?: boolean;
}

const KEYS: readonly string[] = ['action', 'documentId', 'data', 'locale', 'status', 'ifMatch'];

const isAction = (value: unknown): value is WriteAction => WRITE_ACTIONS.some((action) => action === value);

/** Returns the permission that an item requires. Permission to update includes publishing. */
export function requiredAction(action: WriteAction): RequiredAction {
  return action === 'create' || action === 'delete' ? action : 'update';
}

/** Thrown for one invalid part of an item. */
class InvalidItem extends Error {
  override readonly name = 'InvalidItem';

  constructor(
    readonly key: string,
    message: string,
  ) {
    super(message);
  }
}

const actionOf = (item: Readonly<Record<string, unknown>>, { type }: BulkOptions): WriteAction => {
  const { action } = item;
  if (!isAction(action)) throw new InvalidItem('action', `must be one of ${WRITE_ACTIONS.join(', ')}`);
  const isKnown = (key: string): boolean =>
    KEYS.includes(key) || (key === 'type' && typeof type !== 'string');
  const unknownKey = Object.keys(item).find((key) => !isKnown(key));
  if (unknownKey !== undefined) throw new InvalidItem(unknownKey.slice(0, 60), 'is unknown');
  return action;
};

const typeOf = ({ type: name }: Readonly<Record<string, unknown>>, { type }: BulkOptions): Uid => {
  const uid = typeof type === 'string' ? type : type(name);
  if (uid === null) throw new InvalidItem('type', 'must be the uid of a content-type');
  return uid;
};

/** Reports an invalid value of an item at its key. */
const parseAt = <Value>(key: string, parse: () => Value): Value => {
  try {
    return parse();
  } catch (error) {
    throw new InvalidItem(key, isGalleyError(error) ? error.message : String(error));
  }
};

/** Returns the locale of an item. New documents may set it in their data, as in a single request. */
const localeOf = (
  { action, locale, data }: Readonly<Record<string, unknown>>,
  { locale: requested, defaultLocale }: BulkOptions,
): string => {
  const inData = action === 'create' && isRecord(data) ? data['locale'] : undefined;
  return parseAt('locale', () => parseLocale(locale ?? requested ?? inData, defaultLocale));
};

const statusOf = (
  { status }: Readonly<Record<string, unknown>>,
  { status: requested, defaultStatus }: BulkOptions,
): VersionStatus => parseAt('status', () => parseStatus(status ?? requested ?? defaultStatus));

const documentIdOf = ({ documentId }: Readonly<Record<string, unknown>>): string => {
  const parsed = parseDocumentId(documentId);
  if (parsed === null) throw new InvalidItem('documentId', 'must be the id of a document');
  return parsed;
};

const dataOf = ({ data }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  if (!isRecord(data)) throw new InvalidItem('data', 'must be an object');
  return data;
};

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const assertAbsent = (item: Readonly<Record<string, unknown>>, key: string): void => {
  if (!isAbsent(item[key]))
    throw new InvalidItem(key, `does not belong to the action ${String(item['action'])}`);
};

const parseItem = (item: unknown, options: BulkOptions): BulkItem => {
  if (!isRecord(item)) throw new InvalidItem('', 'must be an object');
  const action = actionOf(item, options);
  const locale = localeOf(item, options);
  const { access } = options;
  const type = typeOf(item, options);
  const selection = (): Selection => options.selectionOf(requiredAction(action), type);
  if (action === 'create') {
    assertAbsent(item, 'ifMatch');
    if (options.allowsNewIds !== true) assertAbsent(item, 'documentId');
    const id = isAbsent(item['documentId']) ? {} : { documentId: documentIdOf(item) };
    const status = statusOf(item, options);
    return {
      action,
      params: { type, ...id, locale, status, access, data: dataOf(item), selection: selection() },
    };
  }
  const documentId = documentIdOf(item);
  const ifMatch = parseAt('ifMatch', () => parseRevision(item['ifMatch']));
  const target = { type, documentId, locale, access, ...(ifMatch === undefined ? {} : { ifMatch }) };
  if (action === 'update') {
    const status = statusOf(item, options);
    return { action, params: { ...target, status, data: dataOf(item), selection: selection() } };
  }
  assertAbsent(item, 'data');
  assertAbsent(item, 'status');
  if (action !== 'delete') return { action, params: { ...target, selection: selection() } };
  return { action, params: ifMatch === undefined ? target : { ...target, selection: selection() } };
};

/** Asserts that the status of a request applies to at least one item. */
const assertStatusApplies = (items: readonly BulkItem[], status: VersionStatus | undefined): void => {
  const isApplicable = items.some(({ action }) => action === 'create' || action === 'update');
  if (status !== undefined && items.length > 0 && !isApplicable)
    throw createError('request/invalid-parameter', {
      parameter: 'status',
      reason: 'only the actions create and update accept it.',
    });
};

/**
 * Parses the items of a bulk request.
 *
 * @throws `request/too-many-bulk-items`, `request/invalid-parameter`, and `request/invalid-bulk-body`, which
 *   lists all invalid items
 */
export function parseBulkItems(items: unknown, options: BulkOptions): readonly BulkItem[] {
  if (!Array.isArray(items))
    throw createError('request/invalid-bulk-body', { summary: 'data must be a list of items.' });
  if (items.length > options.maxItems)
    throw createError('request/too-many-bulk-items', { limit: options.maxItems, count: items.length });
  const errors: ValidationIssue[] = [];
  const parsed = items.flatMap((item, index) => {
    try {
      return [parseItem(item, options)];
    } catch (error) {
      if (!(error instanceof InvalidItem)) throw error;
      const path = [String(index), ...(error.key === '' ? [] : [error.key])];
      errors.push({ path, message: error.message, name: 'ValidationError' });
      return [];
    }
  });
  const [first] = errors;
  if (first === undefined) {
    assertStatusApplies(parsed, options.status);
    return parsed;
  }
  const summary = `${first.path.join('.')} ${first.message}`;
  throw createError('request/invalid-bulk-body', { summary }, { details: { errors } });
}
