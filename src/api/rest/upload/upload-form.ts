import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../access/access.js';
import type { Config } from '../../../config/config.js';
import type { RecordText } from '../../../documents/documents.js';
import { createError } from '../../../errors/catalogue.js';
import { isGalleyError } from '../../../errors/galley-error.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import { InexactNumberError, parseExactJson } from '../../../lib/json.js';
import { invalidFileInfo, parseSentFileInfo } from '../../../media/file-info.js';
import type { FileInfo, MediaLibrary, UploadSession } from '../../../media/media.js';
import { FILE_UID } from '../../../model/content-types/builtin-types.js';
import type { ContentModel, ContentType, VersionStatus } from '../../../model/model.js';
import { defaultSelection, identityFilter } from '../../../query/parse/server-queries.js';
import type { FilterNode } from '../../../query/query.js';
import type { RestDependencies } from '../handler.js';

/** Dependencies of the endpoints of the media library. */
export interface UploadDependencies extends RestDependencies {
  readonly media: MediaLibrary;
  /** The folder of the local store. */
  readonly directory: string;
  /** The transformations that clients may request of its images. */
  readonly transforms: Config['upload']['transforms'];
  /** Maximum bytes of one file. */
  readonly sizeLimit: number;
  /** Maximum number of files in one request. */
  readonly maxFiles: number;
}

/** The fields of a multipart body that are not files, by name. A name may occur several times. */
export type FormFields = ReadonlyMap<string, readonly unknown[]>;

const FILES_FIELD = 'files';
const MAX_FIELDS = 100;
/** Maximum bytes of all fields in total: enough for the metadata of all files that a request may have. */
const MAX_FIELD_BYTES = 256 * 1024;
/** Milliseconds without data after which an upload is aborted. */
const IDLE_TIMEOUT_MS = 60_000;

const errorCode = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;

/** Converts an error of reading a body. Disk errors stay internal errors; all others are the client's. */
const toUploadError = (error: unknown, maxFiles: number): unknown => {
  if (isGalleyError(error) || (error instanceof Error && 'syscall' in error && 'path' in error)) return error;
  switch (errorCode(error)) {
    case 'FST_FILES_LIMIT':
      return createError('upload/too-many-files', { limit: maxFiles });
    case 'FST_FIELDS_LIMIT':
      return createError('upload/too-many-fields', { limit: MAX_FIELDS });
    case 'FST_PARTS_LIMIT':
      return createError('upload/too-many-fields', { limit: maxFiles + MAX_FIELDS });
    default:
      return createError('upload/invalid-multipart', {}, { cause: error });
  }
};

const receiveFile = async (part: MultipartFile, uploadSession: UploadSession): Promise<void> => {
  if (part.fieldname !== FILES_FIELD)
    throw createError('upload/unexpected-field', { field: part.fieldname.slice(0, 100) });
  await uploadSession.receive({
    name: part.filename,
    type: part.mimetype,
    content: part.file,
    isTruncated: () => part.file.truncated,
  });
};

const sizeOf = (value: unknown): number =>
  Buffer.byteLength(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/**
 * Collects fields up to {@link MAX_FIELD_BYTES}. The limit exists because parsing fields blocks other
 * requests.
 *
 * @throws `upload/unknown-field`, `upload/fields-too-large`
 */
const createFieldCollector = (known: readonly string[]) => {
  const fields = new Map<string, unknown[]>();
  let bytes = 0;
  return {
    fields,
    add: ({
      fieldname,
      value,
      fieldnameTruncated,
      valueTruncated,
    }: Exclude<Multipart, MultipartFile>): void => {
      if (fieldnameTruncated) throw createError('upload/invalid-multipart');
      if (!known.includes(fieldname))
        throw createError('upload/unknown-field', {
          field: fieldname.slice(0, 100),
          known: [FILES_FIELD, ...known].join(', '),
        });
      bytes += sizeOf(value);
      if (valueTruncated || bytes > MAX_FIELD_BYTES)
        throw createError('upload/fields-too-large', { limit: MAX_FIELD_BYTES });
      fields.set(fieldname, [...(fields.get(fieldname) ?? []), value]);
    },
  };
};

/**
 * Reads a multipart body part by part. Files go to the upload session as they arrive; the other fields, which
 * must be known, are returned.
 */
export async function readForm(
  request: FastifyRequest,
  uploadSession: UploadSession,
  { sizeLimit, maxFiles }: UploadDependencies,
  knownFields: readonly string[],
): Promise<FormFields> {
  if (!request.isMultipart()) throw createError('upload/missing-files');
  const collector = createFieldCollector(knownFields);
  const limits = {
    fileSize: sizeLimit,
    files: maxFiles,
    fields: MAX_FIELDS,
    parts: maxFiles + MAX_FIELDS,
    fieldSize: MAX_FIELD_BYTES,
  };
  request.raw.setTimeout(IDLE_TIMEOUT_MS);
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') await receiveFile(part, uploadSession);
      else collector.add(part);
    }
  } catch (error) {
    // Otherwise the parser would search the rest of the body for parts, beyond all limits.
    request.raw.unpipe().resume();
    throw toUploadError(error, maxFiles);
  } finally {
    request.raw.setTimeout(0);
  }
  if (!request.raw.complete) throw createError('upload/invalid-multipart');
  return collector.fields;
}

export const FILE_INFO_FIELD = 'fileInfo';

const parseJson = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return parseExactJson(value);
  } catch (cause) {
    if (cause instanceof InexactNumberError) throw invalidFileInfo(cause.message, cause);
    throw invalidFileInfo('it is not valid JSON', cause);
  }
};

/**
 * Returns the metadata in the form, one object per file. A single `fileInfo` applies to all files; a list or
 * several fields apply by position.
 *
 * @throws `upload/invalid-file-info`
 */
export function fileInfosOf(model: ContentModel, fields: FormFields, count: number): readonly FileInfo[] {
  const parse = (value: unknown): FileInfo => parseSentFileInfo(model, value);
  const values = (fields.get(FILE_INFO_FIELD) ?? []).map(parseJson);
  const [first] = values;
  if (values.length === 0) return Array.from({ length: count }, () => ({}));
  if (values.length === 1 && !Array.isArray(first)) return Array.from({ length: count }, () => parse(first));
  const infos = (values.length === 1 && Array.isArray(first) ? (first as readonly unknown[]) : values).map(
    parse,
  );
  if (infos.length > count) throw invalidFileInfo(`it has ${infos.length} entries for ${count} files`);
  return infos;
}

/** True if the form contains metadata of its files. */
export function hasFileInfo(fields: FormFields): boolean {
  return fields.has(FILE_INFO_FIELD);
}

/** The fields of a form that name the attribute of a document. */
export const REFERENCE_FIELDS: readonly string[] = ['ref', 'refId', 'field'];

/** The attribute of a document that new files are linked to. */
export interface LinkTarget {
  readonly type: ContentType;
  readonly attribute: string;
  readonly documentId: string;
  /** Undefined if the type is not localised. */
  readonly locale: string | undefined;
  readonly status: VersionStatus;
}

const invalidReference = (field: string, reason: string): GalleyError =>
  createError('upload/invalid-reference', { field, reason });

const lastFieldValue = (fields: FormFields, name: string): string | undefined => {
  const value = fields.get(name)?.at(-1);
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined;
};

interface Reference {
  readonly type: ContentType;
  readonly condition: FilterNode;
  /** Filter for the documents that the caller may update. Null: all. */
  readonly updatable: FilterNode | null;
}

const findVersion = async (
  { model, documents }: RestDependencies,
  { type, condition, updatable }: Reference,
  status: VersionStatus,
): Promise<RecordText | undefined> => {
  const selection = { ...defaultSelection(model, type.uid), fields: type.localized ? ['locale'] : [] };
  const { records } = await documents.findMany({
    type: type.uid,
    filter: updatable === null ? condition : { kind: 'and', items: [condition, updatable] },
    sort: [],
    selection,
    page: null,
    locale: '*',
    status,
    hasPublishedVersion: null,
  });
  return records[0];
};

const findType = ({ model }: RestDependencies, ref: string): ContentType => {
  const type = model.typesByUid[ref];
  if (type === undefined || type.uid === FILE_UID)
    throw invalidReference('ref', `there is no content-type ${ref}`);
  return type;
};

const assertMedia = (type: ContentType, field: string, count: number): void => {
  const attribute = Object.hasOwn(type.attributes, field) ? type.attributes[field] : undefined;
  if (attribute?.family !== 'media')
    throw invalidReference('field', `${type.uid} has no media attribute ${field}`);
  if (!attribute.many && count > 1) throw invalidReference('field', `${field} takes one file`);
};

/**
 * Finds the document that a form names by `ref`, `refId` and `field` to link its files to. `refId` is a
 * document id, or the numeric id of a version. A published document stays published, now with the files; a
 * draft stays a draft. Returns null if the form names none.
 *
 * @throws `upload/invalid-reference`, also for a document that the caller may not update, and
 *   `request/forbidden` if the caller may not update documents of the type
 */
export async function findLinkTarget(
  dependencies: RestDependencies,
  caller: Caller,
  fields: FormFields,
  count: number,
): Promise<LinkTarget | null> {
  const [ref, refId, field] = REFERENCE_FIELDS.map((name) => lastFieldValue(fields, name));
  if (ref === undefined && refId === undefined && field === undefined) return null;
  if (ref === undefined || refId === undefined || field === undefined)
    throw invalidReference('ref', 'ref, refId and field require each other');
  const type = findType(dependencies, ref);
  dependencies.access.authorise(caller, type.uid, 'update');
  assertMedia(type, field, count);
  const updatable = dependencies.access.readAccessOf(caller).scopeOf?.(type.uid, 'update')?.filter ?? null;
  const condition = identityFilter(refId);
  const find = async (version: VersionStatus): Promise<RecordText | undefined> =>
    condition === null ? undefined : findVersion(dependencies, { type, condition, updatable }, version);
  const published = await find('published');
  const record = published ?? (type.draftAndPublish ? await find('draft') : undefined);
  if (record === undefined) throw invalidReference('refId', `there is no ${type.uid} ${refId}`);
  const { documentId, locale } = JSON.parse(record) as {
    readonly documentId: string;
    readonly locale?: string;
  };
  return {
    type,
    attribute: field,
    documentId,
    locale,
    status: published === undefined ? 'draft' : 'published',
  };
}
