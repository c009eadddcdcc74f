import type { Database } from '../../database/database.js';
import type { VersionStore } from '../../documents/write/version-store.js';
import type { DocumentMiddleware, DocumentOperation } from '../../documents/hooks.js';
import { joinTransaction } from '../../documents/document-context.js';
import { isRecord } from '../../lib/records.js';
import { typeOf } from '../../model/lookup.js';
import type { Selection } from '../../query/query.js';
import type { ContentModel, ContentType, VersionStatus } from '../../model/model.js';
import { sanitizeForClient } from './read-lifecycles.js';
import { dataForCode } from './entry-shape.js';
import { printSelection } from './changeable-query.js';
import { changesOf, copiedData, createEventData, defaultData, withChanges } from './event-data.js';
import type { EventData, Written } from './event-data.js';
import type { LifecycleStates, Lifecycles } from './lifecycles.js';
import type { Entry, VersionReader } from './version-reader.js';

export interface WriteLifecycleDependencies {
  readonly model: ContentModel;
  readonly database: Database;
  readonly lifecycles: Lifecycles;
  readonly reader: VersionReader;
  readonly versions: VersionStore;
  readonly defaultLocale: () => string;
}

type Data = Record<string, unknown>;
type WriteOperation = Exclude<
  DocumentOperation,
  { readonly action: 'findMany' | 'findOne' | 'count' | 'aggregate' }
>;

/** One operation on one document of one type. */
interface LifecycleWrite extends WriteLifecycleDependencies {
  readonly type: ContentType;
  /** Undefined if the type has no locales. */
  readonly locale: string | undefined;
  readonly next: () => Promise<unknown>;
}

const statusOf = (type: ContentType, { publishedAt }: Entry): VersionStatus =>
  type.draftAndPublish && publishedAt === null ? 'draft' : 'published';

const primaryStatus = ({ draftAndPublish }: ContentType): VersionStatus =>
  draftAndPublish ? 'draft' : 'published';

/** Loads all versions of a document, in the form that listeners get. */
const loadVersions = async (
  { reader, type }: LifecycleWrite,
  documentId: string | null,
): Promise<readonly Entry[]> =>
  documentId === null ? [] : reader.find(type.uid, { where: { documentId }, orderBy: 'id' });

const findVersion = (
  { type, locale }: LifecycleWrite,
  versions: readonly Entry[],
  status: VersionStatus,
): Entry | undefined =>
  versions.find(
    (entry) => statusOf(type, entry) === status && (!type.localized || entry['locale'] === locale),
  );

const loadVersion = async (
  write: LifecycleWrite,
  documentId: string,
  status: VersionStatus,
): Promise<Entry | undefined> => findVersion(write, await loadVersions(write, documentId), status);

/** A row before it is written. */
interface RowEvent {
  readonly data: EventData;
  /** Calls the `after` listeners. Returns their changes of the result. */
  readonly end: (result: Entry | undefined) => Promise<Data>;
}

const beginRow = async (
  write: LifecycleWrite,
  subject: 'Create' | 'Update',
  {
    where,
    sent,
    added,
    status,
  }: { readonly where: Data; readonly sent: Data; readonly added: Data; readonly status: VersionStatus },
): Promise<RowEvent> => {
  const { lifecycles, type, locale } = write;
  const data = await createEventData(write, type, { sent, added }, { locale, status });
  const params = { where, data: data.shown };
  const states = await lifecycles.run(`before${subject}`, type.uid, { params });
  return {
    data,
    end: async (result) => {
      if (result === undefined) return {};
      const before = structuredClone(result);
      await lifecycles.run(`after${subject}`, type.uid, { params, result }, states);
      return changesOf(before, result);
    },
  };
};

const beginDelete = async (
  { lifecycles, type }: LifecycleWrite,
  entry: Entry,
): Promise<() => Promise<LifecycleStates>> => {
  const params = { where: { id: entry.id } };
  const states = await lifecycles.run('beforeDelete', type.uid, { params });
  return () => lifecycles.run('afterDelete', type.uid, { params, result: entry }, states);
};

const deleteRows = async (write: LifecycleWrite, entries: readonly Entry[]): Promise<void> => {
  for (const entry of entries) await (await beginDelete(write, entry))();
};

/** Calls the `after` listeners of a copy. Returns their changes of it. */
type EndCopy = (documentId: string, selection?: Selection) => Promise<Data>;

/** Calls `before` listeners of a version copied by publishing or discarding, which is a new row in Strapi. */
const beginCopy = async (write: LifecycleWrite, source: Entry, status: VersionStatus): Promise<EndCopy> => {
  const sent = await copiedData(write, write.type, source, { locale: write.locale, status });
  const publishedAt = status === 'published' ? new Date() : null;
  const row = await beginRow(write, 'Create', { where: {}, sent, added: { ...sent, publishedAt }, status });
  return async (documentId, selection) => {
    const data = row.data.changes();
    const { type, locale, versions } = write;
    if (Object.keys(data).length > 0)
      await versions.write({ type: type.uid, documentId, locale, status, data });
    const copy = await loadVersion(write, documentId, status);
    const changes = await row.end(
      selection === undefined ? copy : await withPopulated(write, copy, selection),
    );
    return { ...data, ...changes };
  };
};

const timesOf = (subject: 'Create' | 'Update'): Data => {
  const now = new Date();
  return subject === 'Create' ? { createdAt: now, updatedAt: now } : { updatedAt: now };
};

/** Returns the written version with the populated relations of the call. */
const withPopulated = async (
  { reader, type }: LifecycleWrite,
  entry: Entry | undefined,
  selection: Selection,
): Promise<Entry | undefined> => {
  const { populate } = printSelection(selection);
  if (entry === undefined || populate === undefined) return entry;
  return (await reader.find(type.uid, { where: { id: entry.id }, populate }))[0];
};

/** Adds the changes of listeners to the returned record, as far as the client may see them. */
const showChanges = (
  { model, type: { uid } }: LifecycleWrite,
  { access }: WriteOperation['params'],
  [written, changes]: readonly [Written, Data],
): Written => withChanges(written, sanitizeForClient(model, { uid, access }, changes) as Data);

const runContentWrite = async (
  write: LifecycleWrite,
  operation: Extract<WriteOperation, { readonly action: 'create' | 'update' }>,
  documentId: string | null,
): Promise<unknown> => {
  const { type, locale, next } = write;
  const versionsBefore = await loadVersions(write, documentId);
  if (operation.action === 'update' && versionsBefore.length === 0) return next();
  const status = primaryStatus(type);
  const existing = findVersion(write, versionsBefore, status);
  const subject = existing === undefined ? 'Create' : 'Update';
  const sent = isRecord(operation.params.data) ? operation.params.data : {};
  const row = await beginRow(write, subject, {
    status,
    where: existing === undefined ? {} : { id: existing.id },
    sent,
    added: {
      ...dataForCode(type, operation.params),
      ...(subject === 'Update' ? {} : defaultData(type, sent)),
      ...(locale === undefined || subject === 'Update' ? {} : { locale }),
      ...(documentId === null || subject === 'Update' ? {} : { documentId }),
      publishedAt: status === 'draft' ? null : new Date(),
      ...timesOf(subject),
    },
  });
  const endRow = async (writtenId: string): Promise<readonly [Entry | undefined, Data]> => {
    const edited = await loadVersion(write, writtenId, status);
    return [edited, await row.end(await withPopulated(write, edited, operation.params.selection))];
  };
  const copies: EndCopy[] = [];
  const onSaved = async (savedId: string): Promise<void> => {
    const [edited] = await endRow(savedId);
    const published = findVersion(write, versionsBefore, 'published');
    await deleteRows(write, published === undefined ? [] : [published]);
    if (edited !== undefined) copies.push(await beginCopy(write, edited, 'published'));
  };
  operation.params = { ...operation.params, data: row.data.merged(), onSaved };
  const written = (await next()) as Written | null;
  const writtenId = written === null ? null : (documentId ?? written.documentId ?? null);
  if (written === null || writtenId === null) return written;
  const [endCopy] = copies;
  const changes =
    endCopy === undefined
      ? (await endRow(writtenId))[1]
      : await endCopy(writtenId, operation.params.selection);
  return showChanges(write, operation.params, [written, changes]);
};

/** Runs the listeners of publishing and discarding, which replace one version with a copy of the other. */
const runCopy = async (
  write: LifecycleWrite,
  { params }: Extract<WriteOperation, { readonly action: 'publish' | 'discardDraft' }>,
  [from, to]: readonly [VersionStatus, VersionStatus],
): Promise<unknown> => {
  const versions = await loadVersions(write, params.documentId);
  const source = findVersion(write, versions, from);
  if (source === undefined) return write.next();
  const replaced = findVersion(write, versions, to);
  await deleteRows(write, replaced === undefined ? [] : [replaced]);
  const endCopy = await beginCopy(write, source, to);
  const written = (await write.next()) as Written | null;
  return written === null ? null : showChanges(write, params, [written, await endCopy(params.documentId)]);
};

const runDeletion = async (
  write: LifecycleWrite,
  { params }: Extract<WriteOperation, { readonly action: 'delete' | 'unpublish' }>,
  isDeleted: (entry: Entry) => boolean,
): Promise<unknown> => {
  const entries = (await loadVersions(write, params.documentId)).filter(isDeleted);
  const ends: (() => Promise<unknown>)[] = [];
  for (const entry of entries) ends.push(await beginDelete(write, entry));
  const result = await write.next();
  for (const end of ends) await end();
  return result;
};

const runWrite = async (write: LifecycleWrite, operation: WriteOperation): Promise<unknown> => {
  const { type, locale } = write;
  const isInLocale = (entry: Entry): boolean =>
    !type.localized || operation.params.locale === '*' || entry['locale'] === locale;
  switch (operation.action) {
    case 'create':
      return runContentWrite(
        write,
        operation,
        (await singleDocumentId(write)) ?? operation.params.documentId ?? null,
      );
    case 'update':
      return runContentWrite(write, operation, operation.params.documentId);
    case 'publish':
      return runCopy(write, operation, ['draft', 'published']);
    case 'discardDraft':
      return runCopy(write, operation, ['published', 'draft']);
    case 'unpublish':
      return runDeletion(
        write,
        operation,
        (entry) => isInLocale(entry) && statusOf(type, entry) === 'published',
      );
    default:
      return runDeletion(write, operation, isInLocale);
  }
};

/** Returns the document of a single type, if there is one. Creating it then means updating it. */
const singleDocumentId = async ({ reader, type }: LifecycleWrite): Promise<string | null> =>
  type.kind === 'singleType'
    ? ((await reader.find(type.uid, { select: ['documentId'], limit: 1 }))[0]?.documentId ?? null)
    : null;

/**
 * Creates the middleware that calls lifecycle listeners of writes of any caller. Strapi calls them once for
 * each row: a replaced published version is deleted and created. Listeners and rows share one transaction, so
 * that an error rolls back everything.
 */
export function createWriteLifecycles(dependencies: WriteLifecycleDependencies): DocumentMiddleware {
  const { lifecycles, model, database, defaultLocale } = dependencies;
  return async (operation, next) => {
    const uid = operation.type;
    if (
      operation.action === 'findMany' ||
      operation.action === 'findOne' ||
      operation.action === 'count' ||
      operation.action === 'aggregate' ||
      !lifecycles.has(uid, 'Create', 'Update', 'Delete')
    )
      return next();
    const type = typeOf(model, uid);
    const { params } = operation;
    return joinTransaction(database, async () => {
      // The transaction may be retried.
      operation.params = params;
      const locale = type.localized ? (params.locale ?? defaultLocale()) : undefined;
      return runWrite({ ...dependencies, type, locale, next }, operation);
    });
  };
}
