import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { createError } from '../../../errors/catalogue.js';
import { isGalleyError } from '../../../errors/galley-error.js';
import type { UploadSession } from '../../../media/media.js';
import type { UploadDependencies } from './upload-dependencies.js';

/** The fields of a multipart body that are not files, by name. A name may occur several times. */
export type FormFields = ReadonlyMap<string, readonly unknown[]>;

const FILES_FIELD = 'files';
const MAX_FIELDS = 100;
/** Of all fields together: enough to describe as many files as a request may have. */
const MAX_FIELD_BYTES = 256 * 1024;
/** An upload that sends no byte for so many milliseconds is aborted. */
const IDLE_TIMEOUT_MS = 60_000;

const errorCode = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;

/** Errors of the disk are internal errors. Any other error while reading a body is the client's. */
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
 * Collects fields up to {@link MAX_FIELD_BYTES}. Parsing them is work that nobody else is served during.
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
    // Otherwise the parser would look for parts in the rest of the body, beyond all limits.
    request.raw.unpipe().resume();
    throw toUploadError(error, maxFiles);
  } finally {
    request.raw.setTimeout(0);
  }
  if (!request.raw.complete) throw createError('upload/invalid-multipart');
  return collector.fields;
}
