import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { isTextual, normaliseContentType, typeOfExtension } from './mime-types.js';
import { detectTextKind } from './detect-text-kind.js';

/** The type of a file according to its content. */
export interface DetectedType {
  readonly mime: string;
  /** `.png` */
  readonly ext: string;
}

const HEAD_BYTES = 64 * 1024;

/** Containers whose content does not say which kind of document they are. */
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

/** Keeps an extension of unknown meaning for content that has no extension of its own. */
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
  const signature = await fileTypeFromFile(path);
  if (signature === undefined || signature.mime === 'application/xml')
    return detectText(await readHead(path), extension);
  const mime = normaliseContentType(signature.mime);
  const extensionType = typeOfExtension(extension);
  if (extensionType !== null && CONTAINERS[mime]?.test(extensionType) === true)
    return { mime: extensionType, ext: extension };
  return {
    mime,
    ext:
      extensionType !== null && normaliseContentType(extensionType) === mime
        ? extension
        : `.${signature.ext}`,
  };
}
