import { setImmediate as nextTurn } from 'node:timers/promises';

type Text = string | null;

/** Texts on their way to another thread. Many bytes are moved there instead of copied. */
export type PackedTexts =
  | readonly Text[]
  | {
      /** The bytes of each text; -1 for null. */
      readonly lengths: readonly number[];
      readonly bytes: Uint8Array<ArrayBuffer>;
    };

/** What is copied and decoded at once: takes well below a millisecond. */
const CHUNK = 256 * 1024;

/** Packs the texts of a read, and lists what is to be moved. */
export function packTexts(texts: readonly Text[]): {
  readonly packed: PackedTexts;
  readonly moved: readonly ArrayBuffer[];
} {
  if (texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) <= CHUNK) return { packed: texts, moved: [] };
  const lengths = texts.map((text) => (text === null ? -1 : Buffer.byteLength(text)));
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + Math.max(length, 0), 0));
  const buffer = Buffer.from(bytes.buffer);
  let start = 0;
  for (const text of texts) if (text !== null) start += buffer.write(text, start);
  return { packed: { lengths, bytes }, moved: [bytes.buffer] };
}

/** Decodes a long text in chunks, which may end within a character. */
const decodeLong = async (bytes: Uint8Array): Promise<string> => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK) {
    const end = start + CHUNK;
    parts.push(decoder.decode(bytes.subarray(start, end), { stream: end < bytes.length }));
    await nextTurn();
  }
  return parts.join('');
};

/** Unpacks texts, and lets this thread do other things between the chunks. */
export async function unpackTexts(packed: PackedTexts): Promise<readonly Text[]> {
  if (!('lengths' in packed)) return packed;
  const { lengths, bytes } = packed;
  const buffer = Buffer.from(bytes.buffer);
  const texts: Text[] = [];
  let start = 0;
  let decoded = 0;
  for (const length of lengths) {
    if (length < 0) {
      texts.push(null);
      continue;
    }
    const end = start + length;
    const isLong = length > CHUNK;
    texts.push(isLong ? await decodeLong(bytes.subarray(start, end)) : buffer.toString('utf8', start, end));
    start = end;
    decoded += isLong ? 0 : length;
    if (decoded < CHUNK) continue;
    decoded = 0;
    await nextTurn();
  }
  return texts;
}
