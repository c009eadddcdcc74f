import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { isTextual, plainType, typeOfExtension } from './known-types.js';
import { textKind } from './text-kind.js';

/** What a file is, told by its content. */
export interface Detected {
  readonly mime: string;
  /** `.png` */
  readonly ext: string;
}

const HEAD_BYTES = 64 * 1024;

/** Containers whose content alone does not tell which kind of document they are. */
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

/** An extension of one's own for content that has none: kept where it contradicts nothing. */
const keptExtension = (extension: string, fallback: string): string => (extension !== '' && typeOfExtension(extension) === null ? extension : fallback);

const detectText = (head: Buffer, extension: string): Detected => {
  const named = typeOfExtension(extension);
  const kind = textKind(head);
  switch (kind) {
    case 'binary':
      return { mime: 'application/octet-stream', ext: keptExtension(extension, '.bin') };
    case 'svg':
    case 'html':
    case 'xml':
    case 'text': {
      const isFitting = named !== null && named !== 'image/svg+xml' && isTextual(named) && (kind !== 'svg' || !named.endsWith('xml'));
      if (isFitting) return { mime: named, ext: extension };
      if (kind === 'svg') return { mime: 'image/svg+xml', ext: '.svg' };
      if (kind === 'html') return { mime: 'text/html', ext: '.html' };
      return kind === 'xml' ? { mime: 'application/xml', ext: '.xml' } : { mime: 'text/plain', ext: keptExtension(extension, '.txt') };
    }
  }
};

/**
 * Tells what a file is from its bytes. The extension only chooses among things the content leaves open: kinds of text, kinds of zip.
 * `extension` is lower case with its dot, or empty.
 */
export async function detect(path: string, extension: string): Promise<Detected> {
  const found = await fileTypeFromFile(path);
  if (found === undefined || found.mime === 'application/xml') return detectText(await readHead(path), extension);
  const mime = plainType(found.mime);
  const named = typeOfExtension(extension);
  if (named !== null && CONTAINERS[mime]?.test(named) === true) return { mime: named, ext: extension };
  return { mime, ext: named !== null && plainType(named) === mime ? extension : `.${found.ext}` };
}
