import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { UploadedFile } from './context.js';
import { readBytes } from './request-body.js';

/** A form with files, whose files are in a temporary folder. */
export interface MultipartForm {
  readonly fields: Record<string, unknown>;
  readonly files: Record<string, UploadedFile | UploadedFile[]>;
  readonly remove: () => Promise<void>;
}

/** As many fields as a form without files may have. */
const MAX_FIELDS = 1000;

/**
 * Counts the parts in the bytes, since parsing them is work that nobody else is served during.
 *
 * @throws `upload/too-many-fields`
 */
const assertFewFields = (bytes: Buffer, contentType: string): void => {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = `--${quoted ?? plain ?? ''}`;
  let count = 0;
  for (let at = bytes.indexOf(boundary); at >= 0; at = bytes.indexOf(boundary, at + boundary.length))
    // The last boundary ends the form.
    if (++count > MAX_FIELDS + 1) throw createError('upload/too-many-fields', { limit: MAX_FIELDS });
};

/** A name that occurs several times becomes a list. */
const append = <Value>(values: Record<string, Value | Value[]>, name: string, value: Value): void => {
  const known = Object.hasOwn(values, name) ? values[name] : undefined;
  Object.defineProperty(values, name, {
    value: known === undefined ? value : [...[known].flat(), value],
    enumerable: true,
    configurable: true,
    writable: true,
  });
};

const saveFile = async (folder: string, file: File): Promise<UploadedFile> => {
  const newFilename = `${randomUUID()}${extname(file.name).replaceAll(/[^\w.-]/g, '')}`;
  const filepath = join(folder, newFilename);
  await writeFile(filepath, Buffer.from(await file.arrayBuffer()));
  const mimetype = file.type === '' ? 'application/octet-stream' : file.type;
  return {
    filepath,
    originalFilename: file.name,
    newFilename,
    mimetype,
    size: file.size,
    path: filepath,
    name: file.name,
    type: mimetype,
  };
};

const parseForm = async (request: IncomingMessage, limit: number): Promise<FormData> => {
  const bytes = await readBytes(request, limit);
  const { 'content-type': contentType = '' } = request.headers;
  assertFewFields(bytes, contentType);
  try {
    return await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': contentType },
    }).formData();
  } catch (cause) {
    if (isGalleyError(cause)) throw cause;
    throw createError('upload/invalid-multipart', {}, { cause });
  }
};

/**
 * Reads a form with files, as `ctx.request.body` and `ctx.request.files` have it.
 *
 * @throws `request/too-large`, `upload/too-many-fields`, `upload/invalid-multipart`
 */
export async function readMultipart(request: IncomingMessage, limit: number): Promise<MultipartForm> {
  const form = await parseForm(request, limit);
  const folder = await mkdtemp(join(tmpdir(), 'galley-form-'));
  const remove = async (): Promise<void> => rm(folder, { recursive: true, force: true });
  const fields = {};
  const files = {};
  try {
    for (const [name, value] of form.entries()) {
      if (typeof value === 'string') append<unknown>(fields, name, value);
      else append(files, name, await saveFile(folder, value));
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { fields, files, remove };
}
