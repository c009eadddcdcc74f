import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentStore, ContentWrite } from '../content-store/content-store.js';
import type { Uid } from '../model/model.js';
import { orderWrites } from './order-writes.js';
import type { Plan, PlannedUnit } from './plan.js';
import { FILE_KEYS, printContent } from './print-content.js';
import { NEW_KEY, rejectFileFor } from './read-folder.js';
import { contentKey, readStoredContent } from './stored-content.js';

export interface ApplyOptions {
  readonly root: string;
  readonly deletes: boolean;
  /** One transaction for all files, rather than one for each. */
  readonly isAtomic: boolean;
  /** Runs all checks and takes everything back. */
  readonly isDryRun: boolean;
  /** Called after each transaction. */
  readonly onDone: (path: string) => void;
}

const writeAll = async (store: ContentStore, type: Uid, writes: readonly ContentWrite[]): Promise<void> => {
  for (const write of writes)
    for (const outcome of await store.write(type, [write], { isAtomic: false }))
      if ('error' in outcome) throw outcome.error;
};

const inTransaction = <T>(store: ContentStore, work: () => Promise<T>, isDryRun: boolean): Promise<T> =>
  store.transact === null ? work() : store.transact(work, { isDryRun });

const newFiles = ({ units, files }: Plan): Plan['files'] => {
  const changed = new Set(units.filter(({ writes }) => writes.length > 0).map(({ file }) => file.documentId));
  return files.filter(({ documentId, isNew }) => isNew && changed.has(documentId));
};

/**
 * Writes the documentIds of new documents into their files before anything is stored, so that a push that was
 * interrupted does not create them again.
 */
const markNewFiles = async (root: string, plan: Plan): Promise<void> => {
  for (const { path, text, documentId } of newFiles(plan)) {
    const isFlow = text.trimStart().startsWith('{');
    if (isFlow || /^\$new:/m.test(text)) continue;
    const keys = `${FILE_KEYS.documentId}: ${documentId}\n${NEW_KEY}: true\n`;
    const marked = text.startsWith('---') ? text.replace(/^---\r?\n/, `---\n${keys}`) : `${keys}${text}`;
    await writeFile(join(root, path), marked);
  }
};

/** Takes {@link markNewFiles} back where documents were not stored. */
const restoreFiles = async (root: string, plan: Plan, stored: ReadonlySet<string>): Promise<void> => {
  for (const { path, text, documentId } of newFiles(plan))
    if (!stored.has(documentId)) await writeFile(join(root, path), text);
};

/** Writes what the database has made of new documents into their files, in the form that pull writes. */
const rewriteNewFiles = async (store: ContentStore, root: string, plan: Plan): Promise<void> => {
  for (const type of new Set(newFiles(plan).map((file) => file.type))) {
    const stored = await readStoredContent(store, type);
    for (const file of newFiles(plan).filter((other) => other.type === type)) {
      const content = stored.get(contentKey(file.documentId, file.locale));
      if (content === undefined) continue;
      const [main, live] = await printContent(store, type, [content]);
      const printed = file.status === 'published' ? (live ?? main) : main;
      const path = join(root, file.path);
      if (printed !== undefined && (await readFile(path, 'utf8')) !== printed.text)
        await writeFile(path, printed.text);
    }
  }
};

const runSteps = async (
  store: ContentStore,
  plan: Plan,
  options: ApplyOptions & { readonly stored: Set<string> },
): Promise<void> => {
  const isOwn = !options.isAtomic && !options.isDryRun;
  const run = (work: () => Promise<void>): Promise<void> =>
    isOwn ? inTransaction(store, work, false) : work();
  for (const { unit, writes } of orderWrites(store.model, plan.units)) {
    const { file }: PlannedUnit = unit;
    try {
      await run(() => writeAll(store, file.type.uid, writes));
    } catch (error) {
      rejectFileFor(file, error);
    }
    options.stored.add(file.documentId);
    options.onDone(file.path);
  }
  for (const { type, documentId, locale } of options.deletes ? plan.missing : []) {
    const write: ContentWrite = {
      action: 'delete',
      documentId,
      ...(locale === null ? {} : { locale }),
    };
    await run(() => writeAll(store, type.uid, [write]));
    options.onDone(`${type.singularName} ${documentId}`);
  }
};

/**
 * Applies a plan, one transaction for each file or one for all. Whatever was done when it is interrupted is
 * not planned again.
 *
 * @throws `content/rejected-file`
 */
export async function applyPlan(store: ContentStore, plan: Plan, options: ApplyOptions): Promise<void> {
  const { root, isAtomic, isDryRun } = options;
  if (!isDryRun) await markNewFiles(root, plan);
  const stored = new Set<string>();
  const work = (): Promise<void> => runSteps(store, plan, { ...options, stored });
  try {
    await (isAtomic || isDryRun ? inTransaction(store, work, isDryRun) : work());
  } catch (error) {
    if (!isDryRun) await restoreFiles(root, plan, isAtomic ? new Set() : stored);
    throw error;
  }
  if (!isDryRun) await rewriteNewFiles(store, root, plan);
}
