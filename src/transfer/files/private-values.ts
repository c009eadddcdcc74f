import type { ContentDocument, ContentStore, FindParams } from '../store/content-store.js';
import { chunksOf } from '../../lib/chunks.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import type { ParsedFile } from './read-folder.js';
import { rejectFile } from './read-folder.js';
import { contentKey } from './stored-content.js';
import type { StoredContent } from './stored-content.js';
import { isStatedAttribute } from './version-data.js';
import type { Data } from './version-data.js';

/** Number of documents per read. */
const BATCH = 200;

type OfType = ReadonlyMap<string, StoredContent>;

/** Returns the private values that a file states. */
export function privateValues({ attributes }: ContentType, data: Data): Data {
  return Object.fromEntries(
    Object.entries(data).filter(([name]) => {
      const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
      return attribute !== undefined && isStatedAttribute(attribute);
    }),
  );
}

const readPrivate = async (
  find: NonNullable<ContentStore['findPrivate']>,
  type: ContentType,
  params: FindParams,
  names: readonly string[],
): Promise<ReadonlyMap<string, Data>> => {
  const pick = (document: ContentDocument): Data =>
    Object.fromEntries(names.map((name) => [name, document[name] ?? null]));
  const documents = await find(type.uid, {
    ...params,
    fields: [...names, ...(type.localized ? ['locale'] : [])],
    ...(type.localized ? { locale: '*' } : {}),
  });
  return new Map(
    documents.map((document) => {
      const locale = type.localized ? String(document['locale']) : null;
      return [contentKey(document.documentId, locale), pick(document)];
    }),
  );
};

/**
 * Adds private values to what the database says of the documents whose files state some, so that they are
 * compared like all others.
 *
 * @throws `content/rejected-file` where they are out of reach
 */
export async function withPrivateValues(
  store: ContentStore,
  type: ContentType,
  stored: OfType,
  files: readonly ParsedFile[],
): Promise<OfType> {
  const stating = files
    .filter((file) => file.type === type)
    .map((file) => ({ file, names: Object.keys(privateValues(type, file.data)) }))
    .filter(({ names }) => names.length > 0);
  const names = [...new Set(stating.flatMap((one) => one.names))];
  const existing = new Set([...stored.values()].map(({ documentId }) => documentId));
  const isThere = ({ documentId }: ParsedFile): boolean =>
    type.kind === 'singleType' ? existing.size > 0 : documentId !== null && existing.has(documentId);
  const [first] = stating.filter(({ file }) => isThere(file));
  if (first === undefined) return stored;
  const { findPrivate } = store;
  const [name = ''] = first.names;
  if (findPrivate === null)
    return rejectFile(first.file, name, `A remote server does not tell ${name}, which is private.`);
  const values = new Map(stored);
  for (const documentIds of chunksOf(existing, BATCH)) {
    const read = (status: VersionStatus): Promise<ReadonlyMap<string, Data>> => {
      const params = { filters: { documentId: { $in: documentIds } }, status };
      return readPrivate(findPrivate, type, params, names);
    };
    const [drafts, live] = [await read('draft'), await read('published')];
    for (const [key, own] of drafts) {
      const content = stored.get(key);
      if (content === undefined) continue;
      const draft = { ...content.draft, ...own };
      const isSame = content.published === content.draft;
      const published = content.published === null ? null : { ...content.published, ...live.get(key) };
      values.set(key, { ...content, draft, published: isSame ? draft : published });
    }
  }
  return values;
}
