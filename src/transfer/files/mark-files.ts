import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLockFile } from '../lock-file.js';
import type { ContentStore } from '../store/content-store.js';
import { createError } from '../../errors/catalogue.js';
import { groupBy } from '../../lib/collections.js';
import { writeBase, basePaths, removeBase } from './base-files.js';
import { filesOf } from './merge-units.js';
import type { Plan } from './plan.js';
import { FILE_KEYS, writeTextAtomically } from './print-content.js';
import { privateValues } from './resolve-files.js';
import { NEW_KEY, rejectFile } from './read-folder.js';
import type { ParsedFile } from './read-folder.js';
import { contentKey, readStoredContent } from './stored-content.js';
import type { StoredContent } from './stored-content.js';
import { printTexts, writeUnitFiles, removeUnitFiles, syncFiles } from './sync-files.js';

/** The file with the id of the process that writes files. */
const LOCK_FILE = '.galley-push';

const NEW_LINE = /^\$new:/m;
/** Matches the line of the documentId. */
export const DOCUMENT_LINE = /^\$documentId:.*$/m;

/**
 * Runs work that writes the files of a folder, while no other pull or push writes them.
 *
 * @throws `content/locked-files`
 */
export function withLockedFiles<T>(root: string, work: () => Promise<T>): Promise<T> {
  const file = join(root, LOCK_FILE);
  return withLockFile(file, () => createError('content/locked-files', { root, file }), work);
}

const newFiles = ({ units, files }: Plan): Plan['files'] => {
  const changed = new Set(units.filter(({ writes }) => writes.length > 0).map(({ file }) => file.documentId));
  return files.filter(({ documentId, isNew }) => isNew && changed.has(documentId));
};

/**
 * Writes the documentIds of new documents into their files before anything is stored. The next push after an
 * interrupted one then does not create them again.
 *
 * @throws `content/locked-files`; `content/rejected-file` if another push has written the files
 */
export async function markNewFiles(root: string, plan: Plan): Promise<void> {
  const marked = newFiles(plan);
  if (marked.length === 0) return;
  await withLockedFiles(root, async () => {
    // Another push at the same time would create the same documents under other ids.
    for (const file of marked)
      if ((await readFile(join(root, file.path), 'utf8')) !== file.text)
        rejectFile(file, FILE_KEYS.documentId, 'The file was changed during the push. Push again.');
    for (const { path, text, documentId } of marked) {
      const isFlow = text.trimStart().startsWith('{');
      if (isFlow || NEW_LINE.test(text)) continue;
      const idLine = DOCUMENT_LINE.test(text) ? '' : `${FILE_KEYS.documentId}: ${documentId}\n`;
      const keys = `${idLine}${NEW_KEY}: true\n`;
      const changed = text.startsWith('---') ? text.replace(/^---\r?\n/, `---\n${keys}`) : `${keys}${text}`;
      await writeTextAtomically(join(root, path), changed);
    }
  });
}

/** Reverts {@link markNewFiles} for documents that were not stored. */
export async function restoreFiles(root: string, plan: Plan, stored: ReadonlySet<string>): Promise<void> {
  for (const { path, text, documentId } of newFiles(plan))
    if (!stored.has(documentId)) await writeTextAtomically(join(root, path), text);
}

/** Adds the private values of a file, so that they stay in it. */
const withPrivateOfFile = (content: StoredContent, { data }: ParsedFile): StoredContent => {
  const values = privateValues(content.type, data);
  const draft = { ...content.draft, ...values };
  if (content.published === content.draft) return { ...content, draft, published: draft };
  return { ...content, draft, published: content.published && { ...content.published, ...values } };
};

/**
 * Writes the stored values of new documents into their files, in the form of a pull. Also completes files
 * that a killed push has left.
 */
async function rewriteNewFiles(
  store: ContentStore,
  root: string,
  { units, merging }: Pick<Plan, 'units' | 'merging'>,
): Promise<void> {
  const marked = units.filter((unit) => filesOf(unit).some(({ isNew }) => isNew));
  for (const [type, ofType] of groupBy(marked, ({ file }) => file.type)) {
    const stored = await readStoredContent(store, type);
    const contents = new Map(
      ofType.flatMap((unit) => {
        const content = stored.get(contentKey(unit.file.documentId, unit.file.locale));
        return content === undefined ? [] : [[unit, withPrivateOfFile(content, unit.file)] as const];
      }),
    );
    const texts = await printTexts(store, [...contents.values()]);
    for (const [unit, content] of contents) {
      const printed = texts.get(content) ?? [];
      await writeUnitFiles(root, unit, printed);
      if (merging !== null)
        await writeBase(store.model, merging.folder, { content, path: unit.file.path, texts: printed });
    }
  }
}

/** Writes the files of documents whose deletion a merge has rejected. */
const restoreFilesOf = async (store: ContentStore, { merging, restored }: Plan): Promise<void> => {
  if (merging === null || restored.length === 0) return;
  const contents = restored.flatMap(({ current }) => (current === null ? [] : [current]));
  const texts = await printTexts(store, contents);
  for (const { base, current } of restored) {
    if (current === null) continue;
    const printed = texts.get(current) ?? [];
    const paths = basePaths(base);
    for (const [index, text] of printed.entries())
      await writeTextAtomically(join(merging.folder.root, paths[index] ?? ''), text);
    await writeBase(store.model, merging.folder, { content: current, path: paths[0] ?? '', texts: printed });
  }
};

/** Returns true if a push removes the unedited files of documents that were deleted from the database. */
export function removesDeleted({ merging }: Pick<Plan, 'merging'>): boolean {
  return merging !== null && (merging.deletes || merging.choice === 'database');
}

/**
 * Completes the files after a push: writes merged values, those of new documents, and the bases, and removes
 * files and bases of documents that no longer exist.
 */
export async function finishFiles(store: ContentStore, root: string, plan: Plan): Promise<void> {
  const { merging, units, deleted, obsolete } = plan;
  await rewriteNewFiles(store, root, plan);
  if (merging === null) return;
  const { folder } = merging;
  await syncFiles(store, folder, units);
  await restoreFilesOf(store, plan);
  if (removesDeleted(plan)) await removeUnitFiles(folder, deleted);
  for (const base of obsolete) await removeBase(folder, base);
}
