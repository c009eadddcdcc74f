import { open } from 'node:fs/promises';
import { MEDIA_KINDS, mediaKindOf } from '../model/model.js';
import { isTextual, normalizeContentType, typeOfExtension } from './mime-types.js';

type TextKind = 'binary' | 'text' | 'html' | 'xml' | 'svg';

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

/** The elements at which browsers recognize a page. */
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

/** Returns the kind of a text, judged by its first bytes; `binary` if it is not text. */
export function detectTextKind(head: Buffer): TextKind {
  const text = readText(head);
  if (text === null) return 'binary';
  const start = skipPrologue(text);
  if (/^<(?:[a-z][\w.-]*:)?svg[\s/>]/i.test(start)) return 'svg';
  if (HTML_START.test(start)) return 'html';
  return /^(?:\uFEFF)?\s*<\?xml/.test(text) || /^<[a-z][\w:.-]*[\s/>]/i.test(start) ? 'xml' : 'text';
}

/** The type of a file according to its content. */
export interface DetectedType {
  readonly mime: string;
  /** `.png` */
  readonly ext: string;
}

const HEAD_BYTES = 64 * 1024;

/** Container types whose content does not identify the kind of document. */
const CONTAINERS: Readonly<Record<string, RegExp>> = {
  'application/zip': /openxmlformats|opendocument|epub/,
  'application/x-cfb': /^application\/(?:msword|vnd\.ms-)/,
};

const readHead = async (path: string): Promise<Buffer> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** Keeps an unknown extension for content whose type has no extension. */
const preferExtension = (extension: string, fallback: string): string =>
  extension !== '' && typeOfExtension(extension) === null ? extension : fallback;

const detectText = (head: Buffer, extension: string): DetectedType => {
  const extensionType = typeOfExtension(extension);
  const kind = detectTextKind(head);
  switch (kind) {
    case 'binary':
      return { mime: 'application/octet-stream', ext: preferExtension(extension, '.bin') };
    case 'svg':
    case 'html':
    case 'xml':
    case 'text': {
      const isCompatible =
        extensionType !== null &&
        extensionType !== 'image/svg+xml' &&
        isTextual(extensionType) &&
        (kind !== 'svg' || !extensionType.endsWith('xml'));
      if (isCompatible) return { mime: extensionType, ext: extension };
      if (kind === 'svg') return { mime: 'image/svg+xml', ext: '.svg' };
      if (kind === 'html') return { mime: 'text/html', ext: '.html' };
      return kind === 'xml'
        ? { mime: 'application/xml', ext: '.xml' }
        : { mime: 'text/plain', ext: preferExtension(extension, '.txt') };
    }
  }
};

/**
 * Detects the type of a file from its bytes. The extension only decides what the content leaves open: kinds
 * of text and of zip archives. `extension` has its dot, or is empty.
 */
export async function detectType(path: string, extension: string): Promise<DetectedType> {
  const { fileTypeFromFile } = await import('file-type');
  const signature = await fileTypeFromFile(path);
  if (signature === undefined || signature.mime === 'application/xml')
    return detectText(await readHead(path), extension);
  const mime = normalizeContentType(signature.mime);
  const extensionType = typeOfExtension(extension);
  if (extensionType !== null && CONTAINERS[mime]?.test(extensionType) === true)
    return { mime: extensionType, ext: extension };
  return {
    mime,
    ext:
      extensionType !== null && normalizeContentType(extensionType) === mime
        ? extension
        : `.${signature.ext}`,
  };
}

/** True if a type matches a pattern, in which `*` is any text: `image/*`, `application/vnd.oasis.*`. */
const matchesPattern = (pattern: string, mime: string): boolean => {
  if (MEDIA_KINDS.some((kind) => kind === pattern)) return mediaKindOf(mime) === pattern;
  const [start = '', ...others] = pattern.split('*');
  const end = others.pop();
  if (end === undefined) return mime === pattern;
  if (mime.length < start.length + end.length || !mime.startsWith(start) || !mime.endsWith(end)) return false;
  let place = start.length;
  for (const part of others) {
    const found = mime.indexOf(part, place);
    if (found === -1) return false;
    place = found + part.length;
  }
  return place <= mime.length - end.length;
};

/** True if files of a type may be uploaded: the type is on the first list and not on the second. */
export function isAllowed(
  mime: string,
  {
    allowedTypes,
    deniedTypes,
  }: { readonly allowedTypes: readonly string[]; readonly deniedTypes: readonly string[] },
): boolean {
  const contentType = mime.replace(/;.*$/s, '');
  return (
    allowedTypes.some((pattern) => matchesPattern(pattern, contentType)) &&
    !deniedTypes.some((pattern) => matchesPattern(pattern, contentType))
  );
}

/** Types sent by clients that do not know the type, or want a download. */
const GENERIC_TYPES = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-download',
  'application/force-download',
  'video/mp2t',
]);
const AUDIO_OR_VIDEO = /^(?:audio|video)\/|^application\/(?:ogg|mp4|mxf|vnd\.ms-asf)$/;
const ZIP_BASED = /^application\/(?:zip|epub\+zip|vnd\.(?:openxmlformats|oasis)|java-archive|x-(?:7z|rar))/;
const LEGACY_OFFICE = /^application\/(?:msword|vnd\.ms-|x-cfb|csv)/;
/** Formats that are always recognizable by their content. */
const ALWAYS_DETECTABLE = /^(?:application\/(?:pdf|gzip)|font\/)/;

/**
 * True if a file with the type `actual` may be labelled `claimed`. Other names of the same format and generic
 * types are accepted. An image type is rejected for any other content.
 */
export function isPlausibleType(claimed: string, actual: string): boolean {
  const claimedType = normalizeContentType(claimed);
  const actualType = normalizeContentType(actual);
  if (claimedType === actualType || GENERIC_TYPES.has(claimedType)) return true;
  if (claimedType.startsWith('image/')) return false;
  if (/^(?:audio|video)\//.test(claimedType)) return AUDIO_OR_VIDEO.test(actualType);
  if (LEGACY_OFFICE.test(claimedType)) return LEGACY_OFFICE.test(actualType) || isTextual(actualType);
  if (isTextual(claimedType)) return isTextual(actualType) && actualType !== 'image/svg+xml';
  if (ZIP_BASED.test(claimedType)) return ZIP_BASED.test(actualType);
  if (ALWAYS_DETECTABLE.test(claimedType)) return false;
  return !/^(?:image|audio|video)\//.test(actualType) && actualType !== 'text/html';
}
