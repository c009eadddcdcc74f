import type { Uid } from '../../lib/uid.js';

/** A document that refers to a file in one of its versions. */
export interface FileUsage {
  /** The documentId of the file. */
  readonly file: string;
  readonly type: Uid;
  readonly documentId: string;
  /** Empty where the type is not localised. */
  readonly locale: string;
  readonly status: string;
  readonly attribute: string;
  /** Kind of reference: a link, or the file's address in a text. */
  readonly by: 'link' | 'address';
}

/** Identifiers by which content refers to a file: its documentId in links, and its address in texts. */
export interface UsedFile {
  readonly documentId: string;
  /** The names of its objects in the store, those of copies included. */
  readonly keys: readonly string[];
  readonly url: string;
}

/** Finds the files that texts and values name. */
export interface FileNames {
  readonly hasDocumentId: (text: string) => boolean;
  /** Returns the documentIds of the files whose addresses stand in a text. */
  readonly inText: (text: string) => ReadonlySet<string>;
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The parts of addresses: what stands between slashes. */
const SEGMENTS = /\/([^\s"'()<>\\/?#]+)/g;

const segmentsOf = (text: string): readonly string[] =>
  [...text.matchAll(SEGMENTS)].map(([, segment = '']) => decode(segment));

/** Creates what recognises files by the last part of their addresses, whatever the server is called. */
export function createFileNames(files: readonly UsedFile[]): FileNames {
  const documentIds = new Set(files.map(({ documentId }) => documentId));
  const byName = new Map(
    files.flatMap(({ documentId, keys, url }) =>
      [...keys, ...segmentsOf(url).slice(-1)].map((name) => [name, documentId] as const),
    ),
  );
  return {
    hasDocumentId: (text) => documentIds.has(text),
    inText: (text) => {
      if (!text.includes('/')) return new Set();
      return new Set(segmentsOf(text).flatMap((segment) => byName.get(segment) ?? []));
    },
  };
}
