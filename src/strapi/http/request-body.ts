import type { IncomingMessage } from 'node:http';
import { byteCount } from '../../config/strapi/byte-count.js';
import { middlewareConfig } from '../../config/strapi/middleware-config.js';
import { createError } from '../../errors/catalogue.js';
import { parseJsonBody } from '../../api/rest/parse-json-body.js';
import { parseFormBody } from '../../api/rest/parse-query-string.js';

/** A body that was read from the connection before a route was chosen. */
export interface ReadBody {
  readonly bytes: Buffer;
  readonly value: unknown;
}

/** Bytes that bodies without files may have. */
export interface BodyLimits {
  readonly json: number;
  readonly form: number;
  readonly text: number;
}

/** The key of the body's text in Koa's parser. Signatures of webhooks are checked against that text. */
const UNPARSED_BODY = Symbol.for('unparsedBody');

/** Methods of which nobody reads a body. */
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

/** Returns the limits that `strapi::body` sets. Bodies that it sets no limit for have the limit of JSON. */
export function bodyLimits(middlewares: readonly unknown[], json: number): BodyLimits {
  const { formLimit, textLimit } = middlewareConfig(middlewares, 'strapi::body');
  const limitOf = (stated: unknown): number => {
    const bytes = byteCount(stated);
    return typeof bytes === 'number' ? bytes : json;
  };
  return { json, form: limitOf(formLimit), text: limitOf(textLimit) };
}

/** Reads the rest of a request into memory. @throws `request/too-large` beyond the limit */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
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
  if (isJson(type)) return parseJsonBody(bytes.toString()) ?? {};
  if (type === FORM) return withPrototypes(parseFormBody(bytes.toString()));
  return type.startsWith('text/') ? bytes.toString() : {};
};

/**
 * Reads a body that is JSON, a form or text. Any other type is an empty object to project code, as it is in
 * Strapi.
 *
 * @throws `request/too-large`, `request/invalid-json`, `request/invalid-form`
 */
export async function readTextBody(request: IncomingMessage, limits: BodyLimits): Promise<ReadBody> {
  const type = mediaTypeOf(request);
  const bytes = await readBytes(request, limitFor(type, limits));
  const value = parseBody(type, bytes);
  if (typeof value === 'object' && value !== null)
    Object.defineProperty(value, UNPARSED_BODY, { value: bytes.toString(), configurable: true });
  return { bytes, value };
}
