import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stringify } from 'yaml';
import { withFilePath } from '../../lib/caught-errors.js';
import type { Attribute, ContentType, Uid } from '../../model/model.js';
import type { ContentStore } from '../store/content-store.js';
import { BLOCKS_KEY, bodyAttribute } from '../store/document-text.js';
import { printBlocks } from '../store/print-blocks.js';
import { nameDocuments, replaceReferences } from '../store/references.js';
import type { StoredContent } from './stored-content.js';
import { withoutEmpty } from './version-data.js';
import type { Data } from './version-data.js';

const YAML_OPTIONS = { lineWidth: 0, aliasDuplicateObjects: false, schema: 'core' } as const;

interface Body {
  readonly text: string;
  /** Values for the front matter that the text cannot express. */
  readonly notes: Data;
}

/** Returns a value as the text below front matter. Null: such a text cannot express it. */
const printBody = (attribute: Attribute, value: unknown): Body | null => {
  const printed = attribute.type === 'blocks' ? printBlocks(value) : { markdown: value, notes: {} };
  const text = printed?.markdown;
  // Parsing would not restore such a text exactly.
  if (typeof text !== 'string' || text.trim() === '' || text.includes('\r')) return null;
  const notes = printed?.notes ?? {};
  return { text, notes: Object.keys(notes).length === 0 ? {} : { [BLOCKS_KEY]: notes } };
};

/**
 * Prints one version: Markdown where the type has one rich text or blocks, otherwise YAML. `head` comes
 * before the values.
 */
export function printVersion(type: ContentType, head: Data, values: Data): string {
  const attribute = bodyAttribute(type);
  if (attribute === null) return stringify({ ...head, ...values }, YAML_OPTIONS);
  const { [attribute.name]: value, ...rest } = values;
  const body = printBody(attribute, value);
  if (body === null) return `---\n${stringify({ ...head, ...values }, YAML_OPTIONS)}---\n`;
  return `---\n${stringify({ ...head, ...rest, ...body.notes }, YAML_OPTIONS)}---\n\n${body.text}\n`;
}

/** Returns the extension of a type's files. */
export function versionExtension(type: ContentType): 'md' | 'yaml' {
  return bodyAttribute(type) === null ? 'yaml' : 'md';
}

/** Values of a type. */
interface TypedData {
  readonly type: ContentType;
  readonly data: Data;
}

/** Replaces the documentIds of linked documents by their names. */
export type NameLinks = (type: ContentType, data: Data) => Data;

/**
 * Returns a function that replaces the documentIds of linked documents by their unambiguous names. It covers
 * documents that `versions` link. `newNames` are the names of documents that are not stored yet.
 */
export async function createNameLinks(
  store: ContentStore,
  versions: Iterable<TypedData>,
  newNames: ReadonlyMap<string, string> = new Map(),
): Promise<NameLinks> {
  const documentIds = new Map<Uid, Set<string>>();
  for (const { type, data } of versions)
    replaceReferences(store.model, type, data, ({ type: target, name }) => {
      documentIds.set(target, (documentIds.get(target) ?? new Set()).add(name));
      return name;
    });
  const names = new Map<Uid, ReadonlyMap<string, string>>();
  for (const [uid, ofType] of documentIds)
    names.set(uid, await nameDocuments(store, uid, [...ofType].toSorted()));
  return (type, data) =>
    replaceReferences(
      store.model,
      type,
      data,
      ({ type: uid, name }) => names.get(uid)?.get(name) ?? newNames.get(name) ?? name,
    );
}

/** The keys of a file that are not attributes. No attribute can have such a name. */
export const FILE_KEYS = { documentId: '$documentId', locale: '$locale', status: '$status' } as const;

export type FileStatus = 'draft' | 'published' | 'modified';

/** A file with its path relative to the content folder, with slashes. */
export interface ContentFile {
  readonly path: string;
  readonly text: string;
}

/** Matches names that are valid on all file systems and contain no suffix. */
const SAFE_NAME = /^[a-z0-9][a-z0-9_-]{0,99}$/i;

/** Returns a function for the file names of documents: their unique names, or their documentIds. */
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
 * Prints all content of a type as files: one for each document and locale, and a second one for the published
 * version if the draft was changed since.
 */
export async function printContent(
  store: ContentStore,
  type: ContentType,
  contents: readonly StoredContent[],
  newNames?: ReadonlyMap<string, string>,
): Promise<readonly ContentFile[]> {
  const versions = contents
    .flatMap(({ draft, published }) => [draft, published ?? {}])
    .map((data) => ({ type, data }));
  const nameLinks = await createNameLinks(store, versions, newNames);
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

/** Extension of incomplete files. The next write replaces the file of a killed process. */
export const PARTIAL_EXTENSION = '.part';

/** Writes a file under a temporary name and renames it, so that it is never incomplete. */
export async function writeFileAtomically(
  path: string,
  write: (partial: string) => Promise<void>,
): Promise<void> {
  const partial = `${path}${PARTIAL_EXTENSION}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await withFilePath(path, () => write(partial));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Writes a text file completely or not at all. */
export async function writeTextAtomically(path: string, text: string): Promise<void> {
  await writeFileAtomically(path, (partial) => writeFile(partial, text));
}

/** Writes a text file like {@link writeTextAtomically}, unless it has that text. */
export async function writeTextIfChanged(path: string, text: string): Promise<void> {
  if (!existsSync(path) || (await readFile(path, 'utf8')) !== text) await writeTextAtomically(path, text);
}
