import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { fail } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { Intake } from '../../media/media.js';
import type { UploadParts } from './upload-parts.js';

/** The fields of a multipart body that are no files, by name; a name may come several times. */
export type FormFields = ReadonlyMap<string, readonly unknown[]>;

const FILES_FIELD = 'files';
const MAX_FIELDS = 100;
const FIELD_BYTES = 1024 * 1024;
/** Milliseconds without a byte after which an upload is given up. */
const IDLE = 60_000;

const errorCode = (error: unknown): unknown => (typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined);

/** What the disk refuses is the server's own fault; all else that goes wrong in reading a body is its sender's. */
const asRefusal = (error: unknown, maxFiles: number): unknown => {
  if (isGalleyError(error) || (error instanceof Error && 'syscall' in error && 'path' in error)) return error;
  return errorCode(error) === 'FST_FILES_LIMIT' ? fail('upload/too-many-files', { limit: maxFiles }) : fail('upload/incomplete', {}, { cause: error });
};

const receive = async (part: MultipartFile, intake: Intake): Promise<void> => {
  if (part.fieldname !== FILES_FIELD) throw fail('upload/unexpected-field', { field: part.fieldname.slice(0, 100) });
  await intake.receive({ name: part.filename, type: part.mimetype, content: part.file, isCut: () => part.file.truncated });
};

const addField = (fields: Map<string, unknown[]>, part: Exclude<Multipart, MultipartFile>): void => {
  if (part.fieldnameTruncated || part.valueTruncated) throw fail('upload/incomplete');
  fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), part.value]);
};

/** Takes a multipart body in, part by part: files go to the intake as they come, fields are answered. */
export async function readForm(request: FastifyRequest, intake: Intake, { sizeLimit, maxFiles }: UploadParts): Promise<FormFields> {
  if (!request.isMultipart()) throw fail('upload/no-files');
  const fields = new Map<string, unknown[]>();
  const limits = { fileSize: sizeLimit, files: maxFiles, fields: MAX_FIELDS, parts: maxFiles + MAX_FIELDS, fieldSize: FIELD_BYTES };
  request.raw.setTimeout(IDLE);
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') await receive(part, intake);
      else addField(fields, part);
    }
  } catch (error) {
    throw asRefusal(error, maxFiles);
  } finally {
    request.raw.setTimeout(0);
  }
  if (!request.raw.complete) throw fail('upload/incomplete');
  return fields;
}
