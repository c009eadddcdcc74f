import type { OutgoingHttpHeader } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { BrotliOptions, ZlibOptions } from 'node:zlib';
import type { Transform } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { isConstant } from '../lib/constant-bodies.js';
import { addVary } from '../lib/vary.js';

/** A form in which texts are sent, as `Content-Encoding` names it. */
export type Encoding = 'br' | 'gzip';

export interface Compressor {
  /** Returns the form for a client by its `Accept-Encoding`. Null: texts are sent as they are. */
  readonly encodingFor: (accepted: string | undefined) => Encoding | null;
  /** Compresses beside the event loop. What is remembered as it is sent is compressed once. */
  readonly compress: (body: Buffer | string, encoding: Encoding) => Buffer | Promise<Buffer>;
  readonly createStream: (encoding: Encoding) => Transform;
}

/** Shorter texts fit into the packet of their headers, or nearly so. */
const MIN_LENGTH = 1024;

/** Brotli's default takes a hundred times as long. This is quicker than gzip, and smaller. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 6;

/** Clients send few different headers. Whoever invents them shall not fill the memory. */
const MAX_HEADERS = 100;

const ENCODING_VARY = 'Accept-Encoding';

const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml|[\w.-]+\+(?:json|xml))|image\/svg\+xml)/i;

const brotliOptions = (length?: number): BrotliOptions => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    ...(length === undefined ? {} : { [constants.BROTLI_PARAM_SIZE_HINT]: length }),
  },
});
const GZIP_OPTIONS: ZlibOptions = { level: GZIP_LEVEL };

const compressWithBrotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);
const compressWithGzip = promisify<Buffer, ZlibOptions, Buffer>(gzip);

const compressNow = (body: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br'
    ? compressWithBrotli(body, brotliOptions(body.length))
    : compressWithGzip(body, GZIP_OPTIONS);

/** Whether a body of so many bytes or letters is worth being compressed. */
export function isLong(length: number): boolean {
  return length >= MIN_LENGTH;
}

/** Whether a type of content is text. Images, archives and the like are compressed already. */
export function isCompressible(contentType: string): boolean {
  return COMPRESSIBLE.test(contentType);
}

/** The digest of a form of the body, equal to that of the body where clients ask for changes only. */
export function weaken(etag: string): string {
  return etag.startsWith('W/') ? etag : `W/${etag}`;
}

/** Returns `Vary` of an answer that is sent in several forms. */
export function varyByEncoding(vary: OutgoingHttpHeader | undefined): string {
  return addVary(vary, ENCODING_VARY);
}

/** Whether `Vary` says that an answer is sent in several forms. */
export function variesByEncoding(vary: OutgoingHttpHeader | undefined): boolean {
  return typeof vary === 'string' && vary.includes(ENCODING_VARY);
}

/**
 * Returns headers of text that may be sent in several forms, in one of them. Null: as it is, which proxies
 * must not give to those who ask for another form, either.
 */
export function withEncoding(
  headers: Readonly<Record<string, OutgoingHttpHeader | undefined>>,
  encoding: Encoding | null,
): Readonly<Record<string, OutgoingHttpHeader | undefined>> {
  return {
    ...headers,
    vary: varyByEncoding(headers['vary']),
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
  };
}

/** Returns how much a client wants each form, by name. */
const parseAccepted = (accepted: string): ReadonlyMap<string, number> =>
  new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find(Boolean);
      return [name.trim(), quality === undefined ? 1 : Number(quality)] as const;
    }),
  );

const chooseEncoding = (accepted: string): Encoding | null => {
  const qualities = parseAccepted(accepted);
  const qualityOf = (name: string): number => qualities.get(name) ?? qualities.get('*') ?? 0;
  const [br, gz] = [qualityOf('br'), qualityOf('gzip')];
  if (br === 0 && gz === 0) return null;
  return br >= gz ? 'br' : 'gzip';
};

/** Keeps what constant bodies are compressed to, and what is being compressed. */
const createKept = (encoding: Encoding, maxBytes: number) => {
  const kept =
    maxBytes === 0
      ? undefined
      : new LRUCache<Buffer, Buffer>({
          maxSize: maxBytes,
          // The key is held, too, even where the memory of answers has forgotten it.
          sizeCalculation: (compressed, body) => compressed.length + body.length,
        });
  const underWay = new WeakMap<Buffer, Promise<Buffer>>();
  const start = (body: Buffer): Promise<Buffer> => {
    const compressing = compressNow(body, encoding)
      .then((compressed) => {
        kept?.set(body, compressed);
        return compressed;
      })
      .finally(() => underWay.delete(body));
    underWay.set(body, compressing);
    return compressing;
  };
  return (body: Buffer): Buffer | Promise<Buffer> => kept?.get(body) ?? underWay.get(body) ?? start(body);
};

/** @param maxBytes what compressed bodies may take with the bodies themselves, for each form */
export function createCompressor(maxBytes: number): Compressor {
  const encodings = new LRUCache<string, { readonly encoding: Encoding | null }>({ max: MAX_HEADERS });
  const kept = { br: createKept('br', maxBytes), gzip: createKept('gzip', maxBytes) };
  return {
    encodingFor: (accepted) => {
      if (accepted === undefined) return null;
      const known = encodings.get(accepted);
      if (known !== undefined) return known.encoding;
      const encoding = chooseEncoding(accepted);
      encodings.set(accepted, { encoding });
      return encoding;
    },
    compress: (body, encoding) => {
      if (typeof body === 'string') return compressNow(Buffer.from(body), encoding);
      return isConstant(body) ? kept[encoding](body) : compressNow(body, encoding);
    },
    createStream: (encoding) =>
      encoding === 'br' ? createBrotliCompress(brotliOptions()) : createGzip(GZIP_OPTIONS),
  };
}
