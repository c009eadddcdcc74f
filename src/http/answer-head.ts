import { ServerResponse } from 'node:http';
import type { OutgoingHttpHeader } from 'node:http';
import { weaken, withEncoding } from './compressor.js';
import type { Encoding } from './compressor.js';

/** The body of an answer, and its digest where the answer has one. */
export interface ShortAnswer {
  readonly body: Buffer | string;
  /** Where the answer has one. */
  readonly etag?: string;
}

interface HeadOptions {
  readonly requestId: string;
  /** The form in which the body is, if it may be sent in several. */
  readonly encoding?: Encoding | null | undefined;
}

/** Writes the status and the headers of an answer, with the headers that Fastify has sent before. */
export type WriteHead = (response: ServerResponse, answer: ShortAnswer, options: HeadOptions) => void;

type Headers = Readonly<Record<string, OutgoingHttpHeader | undefined>>;

/** The headers that differ between answers to the same request. */
const CHANGING = ['x-request-id', 'etag', 'content-length'] as const;

type Changing = (typeof CHANGING)[number];
type Values = Readonly<Record<Changing, string>>;

const isChanging = (name: string): name is Changing => CHANGING.some((each) => each === name);

/** Returns the headers in the order in which they are sent. Null where one has several values. */
const entriesOf = (headers: Headers): readonly (readonly [string, string])[] | null => {
  const entries: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (Array.isArray(value) || value === undefined) return null;
    if (name !== 'content-length') entries.push([name, String(value)]);
  }
  // Fastify adds it when it sends.
  return [...entries, ['content-length', '']];
};

const STATUS = 200;

/** What Node.js keeps a head in until it is sent. Not documented, so nothing depends on finding one there. */
const HEAD_PROPERTY = '_header';

/** Whether Node.js prints the head like that of any other answer, and nobody wants to see it before. */
const isCommon = (response: ServerResponse): boolean =>
  response.shouldKeepAlive &&
  response.getHeaderNames().length === 0 &&
  response.writeHead === ServerResponse.prototype.writeHead;

/** Returns what stands around the values in a printed head. Null where they are not found. */
const partsOf = (head: unknown, changing: readonly Changing[], values: Values): readonly string[] | null => {
  if (typeof head !== 'string') return null;
  const parts: string[] = [];
  let end = 0;
  for (const name of changing) {
    const before = `\r\n${name}: `;
    const at = head.indexOf(`${before}${values[name]}\r\n`, end);
    if (at < 0) return null;
    const start = at + before.length;
    parts.push(head.slice(end, start));
    end = start + values[name].length;
  }
  return [...parts, head.slice(end)];
};

/**
 * Creates what writes the head of one form of the answers. Node.js checks, prints and joins all headers anew
 * each time, which takes a fifth of what sending a remembered answer costs. So the first head of each second,
 * since it says the time, serves all others.
 */
const createForm = (headers: Headers): ((response: ServerResponse, values: Values) => void) | null => {
  const entries = entriesOf(headers);
  if (entries === null) return null;
  const changing = entries.map(([name]) => name).filter(isChanging);
  let printed: { readonly second: number; readonly parts: readonly string[] } | null = null;
  return (response, values) => {
    const second = Math.floor(Date.now() / 1000);
    const mayShare = isCommon(response);
    if (mayShare && printed?.second === second) {
      const { parts } = printed;
      const head = changing.reduce((text, name, at) => text + values[name] + parts[at + 1], parts[0] ?? '');
      response.statusCode = STATUS;
      Reflect.set(response, HEAD_PROPERTY, head);
      return;
    }
    response.writeHead(
      STATUS,
      entries.flatMap(([name, value]) => [name, isChanging(name) ? values[name] : value]),
    );
    if (!mayShare) return;
    const parts = partsOf(Reflect.get(response, HEAD_PROPERTY), changing, values);
    printed = parts === null ? null : { second, parts };
  };
};

const lengthOf = (body: Buffer | string): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.length;

/**
 * Creates what writes the heads of answers to a request by those that were sent before. Null where they
 * cannot be sent again.
 */
export function createWriteHead(headers: Headers): WriteHead | null {
  const writePlain = createForm(headers);
  if (writePlain === null) return null;
  const forms = new Map<Encoding | null, typeof writePlain>();
  const formIn = (encoding: Encoding | null): typeof writePlain => {
    const known = forms.get(encoding) ?? createForm(withEncoding(headers, encoding)) ?? writePlain;
    forms.set(encoding, known);
    return known;
  };
  return (response, { body, etag = '' }, { requestId, encoding }) => {
    const write = encoding === undefined ? writePlain : formIn(encoding);
    const isWeak = encoding !== undefined && encoding !== null && etag !== '';
    write(response, {
      'x-request-id': requestId,
      etag: isWeak ? weaken(etag) : etag,
      'content-length': String(lengthOf(body)),
    });
  };
}
