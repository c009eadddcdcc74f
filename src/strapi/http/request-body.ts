import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { decodeBody, parseJsonBody } from '../../api/rest/parse-json-body.js';
import { parseFormBody } from '../../api/rest/parse-query-string.js';
import { byteCount, middlewareConfig } from '../../config/strapi/config-values.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { UploadedFile } from './context.js';

/** A body that was read from the connection before a route was chosen. */
interface ReadBody {
  readonly bytes: Buffer;
  readonly value: unknown;
}

/** The size limits of bodies without files, in bytes. */
export interface BodyLimits {
  readonly json: number;
  readonly form: number;
  readonly text: number;
}

/** The key of the body's text in Koa's parser. Signatures of webhooks are checked against that text. */
const UNPARSED_BODY = Symbol.for('unparsedBody');

/** Methods whose bodies are not read. */
export const METHODS_WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** The media type of a request's body, in lower case and without parameters. */
function mediaTypeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** True if a request has a body that is text, rather than files. */
export function hasTextBody(request: IncomingMessage): boolean {
  if (METHODS_WITHOUT_BODY.has(request.method ?? 'GET')) return false;
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return (encoding !== undefined || (length !== undefined && length !== '0')) && !isMultipart(request);
}

/** True if a request's body is a form with files. */
export function isMultipart(request: IncomingMessage): boolean {
  return mediaTypeOf(request) === 'multipart/form-data';
}

/** Returns the limits that `strapi::body` sets. The limit of JSON applies to other bodies. */
export function bodyLimits(middlewares: readonly unknown[], json: number): BodyLimits {
  const { formLimit, textLimit } = middlewareConfig(middlewares, 'strapi::body');
  const limitOf = (configured: unknown): number => {
    const bytes = byteCount(configured);
    return typeof bytes === 'number' ? bytes : json;
  };
  return { json, form: limitOf(formLimit), text: limitOf(textLimit) };
}

/** Reads the rest of a request into memory. @throws `request/too-large` beyond the limit */
async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw createError('request/too-large');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > limit) throw createError('request/too-large');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

const isJson = (type: string): boolean =>
  type === 'application/json' || type.endsWith('+json') || type === 'application/csp-report';

const withPrototypes = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

const FORM = 'application/x-www-form-urlencoded';

const limitFor = (type: string, { json, form, text }: BodyLimits): number => {
  if (type === FORM) return form;
  return type.startsWith('text/') ? text : json;
};

const parseBody = (type: string, bytes: Buffer): unknown => {
  if (isJson(type)) return parseJsonBody(bytes) ?? {};
  if (type === FORM) return withPrototypes(parseFormBody(decodeBody(bytes)));
  return type.startsWith('text/') ? bytes.toString() : {};
};

/**
 * Reads a body of JSON, a form or text. As in Strapi, bodies of other types are an empty object to project
 * code.
 *
 * @throws `request/too-large`, `request/invalid-encoding`, `request/invalid-json`, `request/invalid-form`
 */
export async function readTextBody(request: IncomingMessage, limits: BodyLimits): Promise<ReadBody> {
  const type = mediaTypeOf(request);
  const bytes = await readBytes(request, limitFor(type, limits));
  const value = parseBody(type, bytes);
  if (typeof value === 'object' && value !== null)
    Object.defineProperty(value, UNPARSED_BODY, { value: bytes.toString(), configurable: true });
  return { bytes, value };
}

/** A form whose files are in a temporary folder. */
export interface MultipartForm {
  readonly fields: Record<string, unknown>;
  readonly files: Record<string, UploadedFile | UploadedFile[]>;
  readonly remove: () => Promise<void>;
}

/** The maximum number of fields, as in forms without files. */
const MAX_FIELDS = 1000;

/**
 * Counts the parts of a form before parsing, which blocks other requests.
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

/** Adds a value. A name that occurs several times gets a list. */
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
 * Reads a form with files for `ctx.request.body` and `ctx.request.files`.
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
