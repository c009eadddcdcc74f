import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Encoded in well below a millisecond. */
const CHUNK = 256 * 1024;

/** True if joining and encoding texts at once would hold up everything else. */
export function areLongTexts(texts: readonly string[]): boolean {
  return texts.reduce((sum, { length }) => sum + length, 0) > 2 * CHUNK;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** Splits long texts, but no character: a pair of surrogates is one. */
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
 * Encodes texts as UTF-8, one after another, and lets the process do other things in between. They are never
 * joined, since copying megabytes takes long.
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
