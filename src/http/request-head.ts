/** The headers of a request that may decide about its answer. */
export interface RequestHead {
  readonly authorization?: string;
  readonly origin?: string;
  readonly accept?: string;
  readonly 'accept-encoding'?: string;
  readonly 'content-type'?: string;
  readonly 'content-length'?: string;
  readonly 'transfer-encoding'?: string;
  readonly 'if-none-match'?: string;
  readonly 'x-request-id'?: string;
  readonly 'strapi-response-format'?: string;
}

type Name = keyof RequestHead;

const NAMES: ReadonlyMap<string, Name> = new Map(
  (
    [
      'authorization',
      'origin',
      'accept',
      'accept-encoding',
      'content-type',
      'content-length',
      'transfer-encoding',
      'if-none-match',
      'x-request-id',
      'strapi-response-format',
    ] as const
  ).map((name) => [name, name]),
);

/** Most headers need not be looked up, since their names are shorter or longer. */
const HAS_LENGTH: readonly boolean[] = Array.from({ length: 32 }, (_, length) =>
  [...NAMES.keys()].some((name) => name.length === length),
);

/**
 * Returns these headers as they were sent. Node.js's `headers` holds all of them, which takes longer. Null
 * where one of them was sent twice.
 */
export function headOf(rawHeaders: readonly string[]): RequestHead | null {
  const head: { -readonly [Each in Name]?: string } = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    if (HAS_LENGTH[sent.length] !== true) continue;
    const name = NAMES.get(sent.toLowerCase());
    if (name === undefined) continue;
    if (head[name] !== undefined) return null;
    head[name] = rawHeaders[index + 1] ?? '';
  }
  return head;
}
