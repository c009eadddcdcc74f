import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { groupBy } from '../../lib/collections.js';
import type { ContentStore } from '../store/content-store.js';
import { publishedPath, removeBase, stemOf, writeBase } from './base-files.js';
import type { BaseFolder, SyncedContent } from './base-files.js';
import { filesOf } from './merge-units.js';
import type { FileUnit } from './merge-units.js';
import type { Versions } from './merge-values.js';
import type { PlannedUnit } from './plan.js';
import { printContent, writeTextIfChanged } from './print-content.js';
import type { ContentFile } from './print-content.js';
import { privateValues } from './resolve-files.js';
import type { StoredContent } from './stored-content.js';
import type { Data } from './version-data.js';

/** Returns the complete content of a unit in a state of its versions, with private values of its file. */
export function contentOf(
  { file, locale, current }: Pick<PlannedUnit, 'file' | 'locale' | 'current'>,
  { draft, published }: Versions,
): StoredContent {
  const { type, documentId } = file;
  const complete = (stored: Data | null | undefined, values: Data): Data => {
    const all = { ...stored, ...values };
    const hidden = Object.keys(privateValues(type, all)).filter((name) => !Object.hasOwn(file.data, name));
    return Object.fromEntries(Object.entries(all).filter(([name]) => !hidden.includes(name)));
  };
  const whole = complete(current?.draft, draft);
  const live = published && complete(current?.published, published);
  return { type, documentId, locale, draft: whole, published: published === draft ? whole : live, items: {} };
}

/** Returns the files that `printContent` has printed for contents, by content. */
export function groupFiles(
  contents: readonly StoredContent[],
  printed: readonly ContentFile[],
): ReadonlyMap<StoredContent, readonly ContentFile[]> {
  const files = new Map<StoredContent, readonly ContentFile[]>();
  let position = 0;
  for (const content of contents) {
    const count = content.published === null || content.published === content.draft ? 1 : 2;
    files.set(content, printed.slice(position, position + count));
    position += count;
  }
  return files;
}

/** Prints the files of contents: for each, the text of one or two files. */
export async function printTexts(
  store: ContentStore,
  contents: readonly StoredContent[],
  newNames?: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<StoredContent, readonly string[]>> {
  const texts = new Map<StoredContent, readonly string[]>();
  for (const [type, ofType] of groupBy(contents, (content) => content.type))
    for (const [content, files] of groupFiles(ofType, await printContent(store, type, ofType, newNames)))
      texts.set(
        content,
        files.map(({ text }) => text),
      );
  return texts;
}

/** Writes the one or two files of a document, and removes its other files. */
export async function writeUnitFiles(
  root: string,
  unit: Pick<FileUnit, 'file' | 'live'>,
  texts: readonly string[],
): Promise<void> {
  const [, live] = filesOf(unit);
  const paths = [unit.file.path, live?.path ?? publishedPath(unit.file.path)];
  for (const [index, text] of texts.entries()) {
    await writeTextIfChanged(join(root, paths[index] ?? ''), text);
  }
  if (live !== undefined && texts.length === 1) await rm(join(root, live.path), { force: true });
}

/**
 * Writes the values that a merge took from the database into the files of units, and the new base of each.
 * Files of new documents are left to `rewriteNewFiles`.
 */
export async function syncFiles(
  store: ContentStore,
  folder: BaseFolder | null,
  units: readonly PlannedUnit[],
): Promise<void> {
  if (folder === null) return;
  const synced = units
    .filter((unit) => !filesOf(unit).some(({ isNew }) => isNew))
    .map((unit) => ({ unit, content: contentOf(unit, unit) }));
  const changed = synced.filter(({ unit }) => (unit.merge?.updates.length ?? 0) > 0);
  const texts = await printTexts(
    store,
    changed.map(({ content }) => content),
  );
  for (const { unit, content } of synced) {
    const printed = texts.get(content);
    if (printed !== undefined) await writeUnitFiles(folder.root, unit, printed);
    const written: SyncedContent = {
      content,
      path: unit.file.path,
      texts: printed ?? filesOf(unit).map(({ text }) => text),
    };
    await writeBase(store.model, folder, written);
  }
}

/** Removes the files and the bases of documents that were deleted from the database. */
export async function removeUnitFiles(folder: BaseFolder, units: readonly FileUnit[]): Promise<void> {
  for (const unit of units) {
    for (const { path } of filesOf(unit)) await rm(join(folder.root, path), { force: true });
    await removeBase(folder, unit.base ?? { stem: stemOf(unit.file.path) });
  }
}
