import { defined } from '../../lib/assert.js';
import { memoize } from '../../lib/collections.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentType, Uid, VersionStatus } from '../../model/model.js';
import type { HashedValues, PreparedInput } from '../validation/input.js';
import type { DocumentContext } from '../document-context.js';
import type { VersionTimes } from '../documents.js';
import { resolveLocale } from './write-params.js';
import { prepareRemoval, writePermissionOf } from './prepare-write.js';
import { runPrepared } from './write-documents.js';

/** Identifies one version of a document. */
interface VersionName {
  readonly type: Uid;
  readonly documentId: string;
  /** The locale's code. Default: the default locale. Ignored for types that are not localised. */
  readonly locale?: string | undefined;
  readonly status: VersionStatus;
}

interface VersionWrite extends Omit<VersionName, 'documentId'> {
  /** Null for a new document. */
  readonly documentId: string | null;
  /** Values of attributes of the type. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Times in place of the current time. */
  readonly times?: VersionTimes | undefined;
}

/**
 * Writes single versions, as the query engine of Strapi writes rows. Other versions of the document stay
 * unchanged, except for values that all locales share. Required attributes may be missing.
 */
export interface VersionStore {
  readonly write: (version: VersionWrite) => Promise<{ readonly documentId: string }>;
  /** Deletes a version, and the document with its last one. Returns false if the version does not exist. */
  readonly delete: (version: VersionName) => Promise<boolean>;
}

const BCRYPT_HASH = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

/** Returns the values in the data that are already hashed, with their types. */
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

/** Returns the type without drafts, for writing only the published version. */
const publishedOnly = memoize((type: ContentType): ContentType =>
  type.draftAndPublish ? { ...type, draftAndPublish: false } : type,
);

const writeVersion = async (
  context: DocumentContext,
  { type: uid, documentId, locale, status, data, times }: VersionWrite,
): Promise<{ readonly documentId: string }> => {
  const type = typeOf(context.model, uid);
  const written = await runPrepared(context, {
    action: documentId === null ? 'create' : 'update',
    type: status === 'published' ? publishedOnly(type) : type,
    documentId: documentId ?? undefined,
    locale: resolveLocale(context, type, locale),
    status,
    data,
    input: await prepare(context, type, data),
    permission: writePermissionOf(type, undefined, 'update'),
    required: null,
    removed: null,
    createsMissing: true,
    strictness: 'draft',
    times,
  });
  return { documentId: defined(written, 'The id of the written document') };
};

const deleteVersion = async (
  context: DocumentContext,
  { type: uid, documentId, locale: localeName, status }: VersionName,
): Promise<boolean> => {
  const type = typeOf(context.model, uid);
  const locale = resolveLocale(context, type, localeName);
  const action = type.draftAndPublish && status === 'published' ? 'unpublish' : 'delete';
  const permission = writePermissionOf(type, undefined, 'delete');
  const removal = prepareRemoval({ action, type, documentId, permission }, { locale, status });
  const deleted = await runPrepared(context, removal);
  return deleted !== null;
};

/** Creates the store of versions of a document service. */
export function createVersionStore(context: DocumentContext): VersionStore {
  return {
    write: (version) => writeVersion(context, version),
    delete: (version) => deleteVersion(context, version),
  };
}
