import { existsSync } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../lib/records.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import type { ContentStore } from '../store/content-store.js';
import { digestText, summarizeData } from './version-data.js';
import type { Versions } from './merge-values.js';
import { versionExtension, writeTextIfChanged } from './print-content.js';
import { mapFiles, rejectIssues } from './rejected-files.js';
import { contentKey } from './stored-content.js';
import type { StoredContent } from './stored-content.js';
import type { Data } from './version-data.js';

/** The folder of bases, below the folder of the content. */
export const BASE_FOLDER = '.base';

/**
 * The state of a document in a locale that its files and a database last had in common. Its values have the
 * form of `summarizeData`.
 */
export interface Base extends Versions {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string | null;
  /** The digests of the texts of its one or two files. */
  readonly digests: readonly string[];
  /** The path of the file with the draft, without its extension. */
  readonly stem: string;
}

/** The bases of a folder that belong to one database. */
export interface BaseFolder {
  readonly root: string;
  /** The name of the database's folder. */
  readonly database: string;
  /** By {@link baseKey}. */
  readonly bases: ReadonlyMap<string, Base>;
}

/** Returns the key of a document in a locale among those of all types. */
export function baseKey({
  type,
  documentId,
  locale,
}: Pick<StoredContent, 'type' | 'documentId' | 'locale'>): string {
  return `${type.uid} ${contentKey(documentId, locale)}`;
}

const EXTENSION = /\.(?:md|ya?ml)$/;

/** Returns the path of a content file without its extension. */
export function stemOf(path: string): string {
  return path.replace(EXTENSION, '');
}

/** Returns the path of the file with the published version of a modified document. */
export function publishedPath(path: string): string {
  return path.replace(EXTENSION, '.published$&');
}

/** Returns the paths of the files of a base, in the order of its digests. */
export function basePaths({ type, stem }: Pick<Base, 'type' | 'stem'>): readonly string[] {
  const main = `${stem}.${versionExtension(type)}`;
  return [main, publishedPath(main)];
}

const basePath = (database: string, stem: string): string => `${BASE_FOLDER}/${database}/${stem}.json`;

const parseBase = (type: ContentType, stem: string, path: string, text: string): Base => {
  const reject = (): never => {
    const message =
      'The base is damaged, as by a merge of git. Restore it, or remove it and run cms content pull.';
    return rejectIssues([{ file: path, line: 1, path: [], message }]);
  };
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return reject();
  }
  if (!isRecord(data)) return reject();
  const { documentId, locale = null, status, digests, draft, published } = data;
  const isLocale = locale === null || typeof locale === 'string';
  if (typeof documentId !== 'string' || !isLocale || !Array.isArray(digests) || !isRecord(draft))
    return reject();
  const live = isRecord(published) ? published : null;
  return {
    type,
    documentId,
    locale,
    digests: digests.map(String),
    stem,
    draft,
    published: status === 'published' ? draft : live,
  };
};

/** The name of the folder of a database without a name, which has no bases. */
const UNNAMED = 'unnamed';

/**
 * Reads the bases of types that belong to the database of a store.
 *
 * @throws `content/rejected-file`, `content/rejected-files` if a base is damaged
 */
export async function openBases(
  store: ContentStore,
  types: readonly ContentType[],
  { root, isDryRun }: { readonly root: string; readonly isDryRun: boolean },
): Promise<BaseFolder> {
  const database = (await store.databaseName({ isDryRun })) ?? UNNAMED;
  const found: { type: ContentType; stem: string; path: string; text: string }[] = [];
  for (const type of types) {
    const folder = join(root, BASE_FOLDER, database, type.singularName);
    const names = existsSync(folder) ? await readdir(folder) : [];
    for (const name of names.filter((other) => other.endsWith('.json')).toSorted()) {
      const stem = `${type.singularName}/${name.slice(0, -'.json'.length)}`;
      const text = await readFile(join(folder, name), 'utf8');
      found.push({ type, stem, path: basePath(database, stem), text });
    }
  }
  const bases = mapFiles(found, ({ type, stem, path, text }) => parseBase(type, stem, path, text));
  return { root, database, bases: new Map(bases.map((base) => [baseKey(base), base])) };
}

const statusOf = ({ draft, published }: Versions): string => {
  if (published === null) return 'draft';
  return published === draft ? 'published' : 'modified';
};

/** A state that files and a database have in common, with the files that contain it. */
export interface SyncedContent {
  readonly content: Omit<StoredContent, 'items'>;
  /** The path of the file with the draft. */
  readonly path: string;
  /** The texts of its files. */
  readonly texts: readonly string[];
}

const printBase = (model: ContentModel, { content, texts }: SyncedContent): string => {
  const { type, documentId, locale, draft, published } = content;
  const summarize = (data: Data): Data => summarizeData(model, type, data);
  const base = {
    documentId,
    ...(locale === null ? {} : { locale }),
    status: statusOf(content),
    digests: texts.map(digestText),
    draft: summarize(draft),
    ...(published === null || published === draft ? {} : { published: summarize(published) }),
  };
  return `${JSON.stringify(base, null, 2)}\n`;
};

/** Removes the base of a document whose files are removed. */
export async function removeBase(
  { root, database }: BaseFolder,
  { stem }: Pick<Base, 'stem'>,
): Promise<void> {
  await rm(join(root, basePath(database, stem)), { force: true });
}

/** Writes the base of a document if it differs. Removes the one under an earlier name of its file. */
export async function writeBase(
  model: ContentModel,
  folder: BaseFolder,
  synced: SyncedContent,
): Promise<void> {
  const stem = stemOf(synced.path);
  await writeTextIfChanged(join(folder.root, basePath(folder.database, stem)), printBase(model, synced));
  const earlier = folder.bases.get(baseKey(synced.content));
  if (earlier !== undefined && earlier.stem !== stem) await removeBase(folder, earlier);
}
