import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A digest in base64url, and the encoding of a compressed response: `"…"`, `"….gzip"`. */
const DIGEST = /^"([\w-]{27})(?:\.(?:br|gzip|deflate))?"$/;

/**
 * Returns the ETag of a compressed response. A digest gets the name of the encoding, since other bytes
 * require another strong ETag. Other ETags become weak.
 */
export function encodedEtag(etag: string, encoding: string): string {
  if (etag.startsWith('W/')) return etag;
  return DIGEST.test(etag) ? `${etag.slice(0, -1)}.${encoding}"` : `W/${etag}`;
}

/** Returns the ETag of the response without compression. */
const plainEtag = (etag: string): string => etag.replace(DIGEST, '"$1"');

const listEtags = (header: string): readonly string[] => header.split(',').map((each) => each.trim());

/**
 * Returns the member of `If-None-Match` that names a response, in any encoding. Undefined: none does. Also
 * finds ETags that a proxy weakened (`W/`).
 */
export function findEtag(known: string | undefined, etag: string): string | undefined {
  if (known === undefined) return undefined;
  return listEtags(known).find((each) => plainEtag(each.replace(/^W\//, '')) === etag);
}

/** True if `If-None-Match` names a response. */
export function isKnownEtag(known: string | undefined, etag: string): boolean {
  return known === etag || findEtag(known, etag) !== undefined;
}

/** Parses `If-Match` to ETags of responses without compression. Omits weak ones, which never match. */
export function parseIfMatch(header: string | undefined): readonly string[] | '*' | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  return listEtags(header)
    .filter((each) => each.startsWith('"'))
    .map(plainEtag);
}

/** Returns the header `Vary` with more names in it. */
export function addVary(vary: string | number | readonly string[] | undefined, names: string): string {
  return vary === undefined ? names : `${String(vary)}, ${names}`;
}

const ORIGIN = /^https?:\/\/[^/?#]+(?=\/)/i;

/** Encoded letters, digits, `-`, `.`, `_` and `~`. Encoded or not, they name the same resource (RFC 3986). */
const ENCODED_UNRESERVED = /%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/**
 * Returns the URL of a request without origin and fragment, and with a path in its plainest form. The router
 * accepts all forms, so code that compares paths without this misses some of them.
 */
export function normalizeUrl(url: string): string {
  const [target = ''] = url.replace(ORIGIN, '').split('#', 1);
  const path = urlPath(target);
  const plain = path.replaceAll(ENCODED_UNRESERVED, (code) => decodeURIComponent(code));
  return `${plain}${target.slice(path.length)}`;
}

/** Returns the path of a request's URL, without the query. */
export function urlPath(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/**
 * The header with which a client asks for the content-types that determine a response, and in which the
 * response lists those whose events the client may receive.
 */
export const TYPES_HEADER = 'galley-types';

const MAX_LABELS = 3;

const LABELS = Symbol('labels');

/** A property, because a weak map of requests slows down each garbage collection. */
interface Labelled {
  [LABELS]?: string[];
}

/** Adds a label to the log line of a request, in addition to its method and path. */
export function labelRequest(request: object, label: string): void {
  const labelled: Labelled = request;
  if (labelled[LABELS] === undefined) labelled[LABELS] = [label];
  else labelled[LABELS].push(label);
}

/** Returns the labels of a request, or undefined if it has none. */
export function requestLabelOf(request: object): string | undefined {
  const { [LABELS]: labels }: Labelled = request;
  if (labels === undefined) return undefined;
  const others = labels.length - MAX_LABELS;
  return [...labels.slice(0, MAX_LABELS), ...(others > 0 ? [`${others} more`] : [])].join(', ');
}

/**
 * Event emitted on the HTTP server of an application that is being replaced or closed. Listeners with
 * upgraded connections must end them, because they would keep the server from closing.
 */
export const DRAINING = 'galley:retiring';

/**
 * Event emitted on a response that ends only with its connection, such as a stream of events. It is then no
 * request in flight, and the application must end it when it is {@link DRAINING}.
 */
export const STREAMING = 'galley:streaming';

/** Characters that are encoded in well below a millisecond. */
const CHUNK = 256 * 1024;

/** True if joining and encoding the texts in one step would block the process noticeably. */
export function areLongTexts(texts: readonly string[]): boolean {
  return texts.reduce((sum, { length }) => sum + length, 0) > 2 * CHUNK;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** Splits long texts, but never a pair of surrogates. */
function* splitTexts(texts: Iterable<string>): Generator<string> {
  for (const text of texts) {
    let start = 0;
    while (text.length - start > CHUNK) {
      const end = start + CHUNK;
      const piece = text.slice(start, isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end);
      yield piece;
      start += piece.length;
    }
    yield start === 0 ? text : text.slice(start);
  }
}

/**
 * Encodes texts as UTF-8, one after another, and yields to the event loop in between. The texts are never
 * joined, because copying megabytes takes long.
 */
async function* encodeInChunks(texts: Iterable<string>): AsyncGenerator<Buffer> {
  let pending: string[] = [];
  let length = 0;
  for (const piece of splitTexts(texts)) {
    pending.push(piece);
    length += piece.length;
    if (length < CHUNK) continue;
    yield Buffer.from(pending.join(''));
    pending = [];
    length = 0;
    await nextTurn();
  }
  if (length > 0) yield Buffer.from(pending.join(''));
}

/** Returns the body of a response: short text as it is, long text as a stream of chunks. */
export function toBody(text: string): string | Readable {
  return areLongTexts([text]) ? toStream([text]) : text;
}

/** A stream of texts, one after another. */
export function toStream(texts: Iterable<string>): Readable {
  return Readable.from(encodeInChunks(texts), { objectMode: false });
}
