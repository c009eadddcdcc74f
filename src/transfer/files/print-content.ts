import { nameDocuments } from '../store/references.js';
import type { ContentStore } from '../store/content-store.js';
import type { ContentType } from '../../model/model.js';
import { createNameLinks } from './name-links.js';
import { printVersion, versionExtension } from './print-version.js';
import type { StoredContent } from './stored-content.js';
import { withoutEmpty } from './version-data.js';
import type { Data } from './version-data.js';

/** The keys of a file that are no attributes. No attribute can have such a name. */
export const FILE_KEYS = { documentId: '$documentId', locale: '$locale', status: '$status' } as const;

export type FileStatus = 'draft' | 'published' | 'modified';

/** A file with its path below the folder of the content, with slashes. */
export interface ContentFile {
  readonly path: string;
  readonly text: string;
}

/** Names that all file systems keep apart from suffixes. */
const SAFE_NAME = /^[a-z0-9][a-z0-9_-]{0,99}$/i;

/** Returns the names of the files of documents: what names them, or their documentIds. */
const fileNames = async (
  store: ContentStore,
  type: ContentType,
  documentIds: readonly string[],
): Promise<(documentId: string) => string> => {
  if (type.kind === 'singleType') return () => type.singularName;
  const names = await nameDocuments(store, type.uid, documentIds);
  const counts = new Map<string, number>();
  for (const name of names.values())
    counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  return (documentId) => {
    const name = names.get(documentId);
    const isUsable = name !== undefined && SAFE_NAME.test(name) && counts.get(name.toLowerCase()) === 1;
    return isUsable ? name : documentId;
  };
};

/**
 * Prints all content of a type as files: one for a document and locale, and one more for what is published of
 * it if its draft was changed since.
 */
export async function printContent(
  store: ContentStore,
  type: ContentType,
  contents: readonly StoredContent[],
): Promise<readonly ContentFile[]> {
  const versions = contents
    .flatMap(({ draft, published }) => [draft, published ?? {}])
    .map((data) => ({ type, data }));
  const nameLinks = await createNameLinks(store, versions);
  const fileNameOf = await fileNames(store, type, [...new Set(contents.map(({ documentId }) => documentId))]);
  const extension = versionExtension(type);
  const fileOf = (
    { documentId, locale }: StoredContent,
    data: Data,
    status: FileStatus,
    suffix = '',
  ): ContentFile => {
    const head = {
      [FILE_KEYS.documentId]: documentId,
      ...(locale === null ? {} : { [FILE_KEYS.locale]: locale }),
      ...(type.draftAndPublish ? { [FILE_KEYS.status]: status } : {}),
    };
    const name = `${fileNameOf(documentId)}${locale === null ? '' : `.${locale}`}${suffix}`;
    return {
      path: `${type.singularName}/${name}.${extension}`,
      text: printVersion(type, head, withoutEmpty(store.model, type, nameLinks(type, data))),
    };
  };
  return contents.flatMap((content) => {
    const { draft, published } = content;
    if (published === null) return [fileOf(content, draft, 'draft')];
    if (published === draft) return [fileOf(content, draft, 'published')];
    return [fileOf(content, draft, 'modified'), fileOf(content, published, 'published', '.published')];
  });
}
