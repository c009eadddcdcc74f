export type TextKind = 'binary' | 'text' | 'html' | 'xml' | 'svg';

/** Bytes that no text contains. Tab, line feed, form feed, carriage return and escape are allowed. */
const isControl = (byte: number): boolean =>
  (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b) ||
  byte === 0x7f;

/** Returns the first bytes of a file as text, or null if they are binary. */
const readText = (head: Buffer): string | null => {
  if (head[0] === 0xff && head[1] === 0xfe) return head.toString('utf16le');
  if (head[0] === 0xfe && head[1] === 0xff)
    return Buffer.from(head.subarray(0, head.length & ~1))
      .swap16()
      .toString('utf16le');
  return head.some(isControl) ? null : head.toString('utf8');
};

/** Matches text that may precede the first element of a document. */
const PROLOGUE =
  /^(?:\uFEFF|\s+|<\?[^>]*>|<!--[\s\S]*?-->|<!doctype(?![^[>]*html)[^[>]*(?:\[[^\]]*\]\s*)?>)/i;

/** The elements at which browsers recognise a page. */
const HTML_ELEMENTS =
  'html|head|script|iframe|h[1-6]|div|font|table|a|style|title|b|body|br|p|img|svg:?script|' +
  'form|meta|link|object|embed';
const HTML_START = new RegExp(`^<(?:!doctype[^>]*html|(?:${HTML_ELEMENTS})[\\s/>])`, 'i');

const skipPrologue = (text: string): string => {
  for (let rest = text; ;) {
    const skipped = PROLOGUE.exec(rest)?.[0];
    if (skipped === undefined) return rest;
    rest = rest.slice(skipped.length);
  }
};

/** Returns what a file is, judging by the characters at its beginning. */
export function detectTextKind(head: Buffer): TextKind {
  const text = readText(head);
  if (text === null) return 'binary';
  const start = skipPrologue(text);
  if (/^<(?:[a-z][\w.-]*:)?svg[\s/>]/i.test(start)) return 'svg';
  if (HTML_START.test(start)) return 'html';
  return /^(?:\uFEFF)?\s*<\?xml/.test(text) || /^<[a-z][\w:.-]*[\s/>]/i.test(start) ? 'xml' : 'text';
}
