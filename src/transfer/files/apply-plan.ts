import type { ContentStore, ContentWrite } from '../store/content-store.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { Uid } from '../../model/model.js';
import { applyMedia, checkMedia, pretendMedia } from './media/apply-media.js';
import { withMediaIds } from './media/with-media-ids.js';
import type { MediaTarget, UploadedFile } from './media/apply-media.js';
import { orderWrites } from './order-writes.js';
import { withItemIds } from './keep-items.js';
import { markNewFiles, restoreFiles, rewriteNewFiles } from './mark-files.js';
import type { Plan, PlannedUnit } from './plan.js';
import { rejectFileFor } from './read-folder.js';
import type { Data } from './version-data.js';

export interface ApplyOptions extends MediaTarget {
  readonly deletes: boolean;
  /** One transaction for all files, rather than one for each. */
  readonly isAtomic: boolean;
  /** Runs all checks and takes everything back. */
  readonly isDryRun: boolean;
  /** Called after each transaction. */
  readonly onDone: (path: string) => void;
  /** Called for each uploaded file that was removed again, as all or nothing is to be written. */
  readonly onTakenBack?: (path: string) => void;
}

const writeAll = async (store: ContentStore, type: Uid, writes: readonly ContentWrite[]): Promise<void> => {
  for (const write of writes)
    for (const outcome of await store.write(type, [write], { isAtomic: false }))
      if ('error' in outcome) throw outcome.error;
};

const inTransaction = <T>(store: ContentStore, work: () => Promise<T>, isDryRun: boolean): Promise<T> =>
  store.transact === null ? work() : store.transact(work, { isDryRun });

/** Names the components of a document that writes change, so that they keep what files do not hold. */
const identifyItems = (
  store: ContentStore,
  { file, current }: PlannedUnit,
  writes: readonly ContentWrite[],
): readonly ContentWrite[] => {
  let items: Data = current?.items ?? {};
  return writes.map((write) => {
    if (write.action !== 'update' || write.data === undefined) return write;
    const data = withItemIds(store.model, file.type, write.data, items);
    items = { ...items, ...data };
    return { ...write, data };
  });
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
      await run(() => writeAll(store, file.type.uid, identifyItems(store, unit, writes)));
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

/** Throws the error of a transaction, with the file that it is about where the store names the document. */
const rejectTransaction = (plan: Plan, error: unknown): never => {
  const { documentId, locale } = isGalleyError(error) ? error.details : {};
  const file = plan.files.find(
    (other) => other.documentId === documentId && (other.locale === locale || other.locale === null),
  );
  if (file === undefined) throw error;
  return rejectFileFor(file, error);
};

const writeDocuments = async (store: ContentStore, plan: Plan, options: ApplyOptions): Promise<void> => {
  const { root, isAtomic, isDryRun } = options;
  if (!isDryRun) await markNewFiles(root, plan);
  const stored = new Set<string>();
  const work = async (): Promise<void> => {
    if (isDryRun) await pretendMedia(store, plan.media.changes);
    await runSteps(store, plan, { ...options, stored });
  };
  try {
    await (isAtomic || isDryRun ? inTransaction(store, work, isDryRun) : work());
  } catch (error) {
    if (!isDryRun) await restoreFiles(root, plan, isAtomic ? new Set() : stored);
    rejectTransaction(plan, error);
  }
  if (!isDryRun) await rewriteNewFiles(store, root, plan);
};

/** Removes uploaded files that were added. Replaced files and updated descriptions are kept. */
const takeUploadsBack = async (
  { media, onTakenBack }: ApplyOptions,
  uploads: readonly UploadedFile[],
): Promise<void> => {
  for (const { action, path, id } of uploads)
    if (action === 'add' && id !== null && (await media.remove(id))) onTakenBack?.(path);
};

/**
 * Applies a plan, one transaction for each file or one for all. If it is interrupted, the next plan omits the
 * completed changes.
 *
 * @throws `content/rejected-file`
 */
export async function applyPlan(store: ContentStore, planned: Plan, options: ApplyOptions): Promise<void> {
  const { isAtomic, isDryRun } = options;
  const { changes } = planned.media;
  if (isDryRun) {
    await checkMedia(options, changes);
    await writeDocuments(store, planned, options);
    return;
  }
  const uploads: UploadedFile[] = [];
  try {
    const others = await applyMedia(options, changes, (upload) => {
      uploads.push(upload);
      options.onDone(upload.path);
    });
    await writeDocuments(store, withMediaIds(store.model, planned, others), options);
  } catch (error) {
    if (isAtomic) await takeUploadsBack(options, uploads);
    throw error;
  }
}
