import type { Transaction } from '../../database/database.js';
import { createDocumentId } from '../../lib/document-id.js';
import { defined } from '../../lib/defined.js';
import { memoize } from '../../lib/memoize.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentType, Uid, VersionStatus } from '../../model/model.js';
import type { HashedValues, PreparedInput } from '../../validation/input.js';
import type { DocumentContext } from '../document-context.js';
import { unlinkLocale } from '../links/apply/unlink-locale.js';
import { setTimes } from '../set-times.js';
import type { VersionTimes } from '../documents.js';
import { deleteDocuments, deleteVersions } from '../stored-document.js';
import { writeLocale } from '../write-locale.js';
import { resolveLocale } from '../write-params.js';
import { writePermissionOf } from '../write-permission.js';
import { lockExisting, runWrite } from './run-write.js';
import type { LockedDocument, WriteOperation } from './run-write.js';

/** Names one version of a document. */
interface VersionName {
  readonly type: Uid;
  readonly documentId: string;
  /** As clients name it. Undefined: the default locale. Ignored for types that are not localised. */
  readonly locale?: string | undefined;
  readonly status: VersionStatus;
}

interface VersionWrite extends Omit<VersionName, 'documentId'> {
  /** Null: a new document. */
  readonly documentId: string | null;
  /** Only attributes that the type has. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Times that take the place of the present. */
  readonly times?: VersionTimes | undefined;
}

/**
 * Writes single versions, as the query engine of Strapi writes rows: no other version of the document
 * changes, save for values that all locales share, and required attributes may be missing.
 */
export interface VersionStore {
  readonly write: (version: VersionWrite) => Promise<{ readonly documentId: string }>;
  /** Deletes the document with its last version. Returns false where there is no such version. */
  readonly delete: (version: VersionName) => Promise<boolean>;
}

const BCRYPT_HASH = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

/** Hashes that the data have already stay as they are. */
const keepHashes = (
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
): readonly (readonly [string, string])[] =>
  Object.values(type.attributes).flatMap((attribute) => {
    const value = data[attribute.name];
    return attribute.family === 'scalar' &&
      attribute.field.hash !== undefined &&
      typeof value === 'string' &&
      BCRYPT_HASH.test(value)
      ? [[attribute.type, value] as const]
      : [];
  });

const withHashes = (hashed: HashedValues, kept: readonly (readonly [string, string])[]): HashedValues => {
  const merged = new Map([...hashed].map(([type, values]) => [type, new Map(values)]));
  for (const [type, value] of kept) merged.set(type, (merged.get(type) ?? new Map()).set(value, value));
  return merged;
};

const prepare = async (
  { validatorOf }: DocumentContext,
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
): Promise<PreparedInput> => {
  const kept = keepHashes(type, data);
  const { hashed } = await validatorOf(type).prepare(
    kept.length === 0
      ? data
      : Object.fromEntries(
          Object.entries(data).filter(([, value]) => !kept.some(([, hash]) => hash === value)),
        ),
    undefined,
  );
  return { data, hashed: withHashes(hashed, kept) };
};

const lockOrInsert = async (
  context: DocumentContext,
  tx: Transaction,
  type: ContentType,
  documentId: string | null,
): Promise<LockedDocument> => {
  const existing = documentId === null ? null : await lockExisting(context, tx, { type, documentId });
  if (existing !== null) return existing;
  const newId = documentId ?? createDocumentId();
  const { sql, parameters } = context.documentTableOf(type).insert([newId]);
  await tx.execute(sql, parameters);
  return { documentId: newId, rows: [] };
};

/** A type whose documents have only a published version, as far as a write of that one is concerned. */
const publishedOnly = memoize((type: ContentType): ContentType =>
  type.draftAndPublish ? { ...type, draftAndPublish: false } : type,
);

/** The server itself writes, and may write everything. */
const permitted = (
  type: ContentType,
): Pick<WriteOperation<unknown>, 'permission' | 'versionsBefore' | 'versionsAfter'> => ({
  permission: writePermissionOf(type, undefined, 'update'),
  versionsBefore: () => null,
  versionsAfter: () => null,
});

const writeVersion = async (
  context: DocumentContext,
  { type: uid, documentId, locale: localeName, status, data, times }: VersionWrite,
): Promise<{ readonly documentId: string }> => {
  const type = typeOf(context.model, uid);
  const locale = resolveLocale(context, type, localeName);
  const writtenType = status === 'published' ? publishedOnly(type) : type;
  const written = await runWrite<PreparedInput>(context, {
    ...permitted(type),
    action: documentId === null ? 'create' : 'update',
    type,
    locale,
    status,
    data,
    prepare: () => prepare(context, type, data),
    lock: (tx) => lockOrInsert(context, tx, type, documentId),
    write: async (tx, document, input) => {
      const { documentId: id, rows } = document;
      await writeLocale(context, {
        tx,
        type: writtenType,
        documentId: id,
        locale,
        publish: status === 'published',
        strictness: 'draft',
        input,
        rows,
      });
      if (times !== undefined)
        await setTimes(context, tx, type, { documentId: id, locale, statuses: [status], times });
    },
  });
  return { documentId: defined(written, 'The id of the written document') };
};

const deleteVersion = async (
  context: DocumentContext,
  { type: uid, documentId, locale: localeName, status }: VersionName,
): Promise<boolean> => {
  const type = typeOf(context.model, uid);
  const locale = resolveLocale(context, type, localeName);
  const deleted = await runWrite<null>(context, {
    ...permitted(type),
    action: type.draftAndPublish && status === 'published' ? 'unpublish' : 'delete',
    type,
    locale,
    status: null,
    data: null,
    prepare: async () => null,
    lock: (tx) =>
      lockExisting(
        context,
        tx,
        { type, documentId },
        (row) => row.locale === locale && row.status === status,
      ),
    write: async (tx, { rows }) => {
      if (rows.length === 1) {
        await deleteDocuments(context, tx, type, [documentId]);
        return;
      }
      await deleteVersions(context, tx, type, { documentId, locale, status });
      if (!rows.some((row) => row.locale === locale && row.status !== status))
        await unlinkLocale(context, tx, type, documentId, locale);
    },
  });
  return deleted !== null;
};

/** Creates the store of versions of a document service. */
export function createVersionStore(context: DocumentContext): VersionStore {
  return {
    write: (version) => writeVersion(context, version),
    delete: (version) => deleteVersion(context, version),
  };
}
