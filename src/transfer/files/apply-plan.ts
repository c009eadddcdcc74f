import { isGalleyError } from '../../errors/galley-error.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { ContentModel, Uid } from '../../model/model.js';
import type { ContentStore, ContentWrite } from '../store/content-store.js';
import { replaceReferences } from '../store/references.js';
import { assertCurrent, changedDuringPush, recordWritten } from './assert-current.js';
import type { WrittenValues } from './assert-current.js';
import { finishFiles, markNewFiles, restoreFiles } from './mark-files.js';
import { applyMedia, checkMedia, writePlannedMedia } from './push-media.js';
import type { MediaTarget, UploadedFile } from './push-media.js';
import { planVersionWrites } from './plan.js';
import type { StoredContent } from './stored-content.js';
import { syncFiles } from './sync-files.js';
import type { Plan, PlannedUnit } from './plan.js';
import { rejectFileFor } from './read-folder.js';
import { withItemIds } from './version-data.js';
import type { Data } from './version-data.js';

/** Replaces the ids of uploaded files in the links of a plan. */
function withMediaIds(model: ContentModel, plan: Plan, ids: ReadonlyMap<string, string>): Plan {
  if (ids.size === 0) return plan;
  const units = plan.units.map((unit) => {
    const replace = (data: Data): Data =>
      replaceReferences(model, unit.file.type, data, ({ type, name }) =>
        type === FILE_UID ? (ids.get(name) ?? name) : name,
      );
    const draft = replace(unit.draft);
    const live = unit.published === unit.draft ? draft : unit.published && replace(unit.published);
    const renamed = { ...unit, draft, published: live };
    return { ...renamed, writes: planVersionWrites(renamed) };
  });
  return { ...plan, units };
}

/** Writes that belong to one transaction. */
interface Step {
  readonly unit: PlannedUnit;
  readonly writes: readonly ContentWrite[];
}

/** Returns the documents that each attribute of a file links. */
const linksOf = (model: ContentModel, { file, draft, published }: PlannedUnit): Map<string, Set<string>> => {
  const links = new Map<string, Set<string>>();
  for (const data of [draft, published ?? {}])
    replaceReferences(model, file.type, data, ({ name, path }) => {
      const [attribute = ''] = path.split('.');
      links.set(attribute, (links.get(attribute) ?? new Set()).add(name));
      return name;
    });
  return links;
};

/** Orders new documents so that each follows those that it links, except in cycles. */
const orderByLinks = (model: ContentModel, units: readonly PlannedUnit[]): readonly PlannedUnit[] => {
  const byDocument = new Map<string, PlannedUnit[]>();
  for (const unit of units) {
    const { documentId } = unit.file;
    byDocument.set(documentId, [...(byDocument.get(documentId) ?? []), unit]);
  }
  const ordered: PlannedUnit[] = [];
  const visited = new Set<string>();
  const visit = (documentId: string): void => {
    if (visited.has(documentId)) return;
    visited.add(documentId);
    const documentUnits = byDocument.get(documentId) ?? [];
    for (const unit of documentUnits)
      for (const targets of linksOf(model, unit).values()) for (const target of targets) visit(target);
    ordered.push(...documentUnits);
  };
  for (const documentId of byDocument.keys()) visit(documentId);
  return ordered;
};

const without = (data: Data, names: ReadonlySet<string>): Data =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !names.has(name)));

/** Splits the writes of a new document in a cycle: `late` attributes follow after all documents exist. */
const splitCycle = (unit: PlannedUnit, late: ReadonlySet<string>): readonly [Step, Step] => {
  const draft = without(unit.published ?? unit.draft, late);
  const hasDrafts = unit.file.type.draftAndPublish;
  const first = planVersionWrites({ ...unit, draft, published: hasDrafts ? null : draft });
  const state = { draft, published: null };
  return [
    { unit, writes: first },
    { unit, writes: planVersionWrites({ ...unit, isNewDocument: false, current: state }) },
  ];
};

/** Returns the writes of a plan in an order in which the targets of links exist. */
function orderWrites(model: ContentModel, units: readonly PlannedUnit[]): readonly Step[] {
  const changed = units.filter(({ writes }) => writes.length > 0);
  const newIds = new Set(changed.filter((unit) => unit.isNewDocument).map(({ file }) => file.documentId));
  const created = orderByLinks(
    model,
    changed.filter(({ file }) => newIds.has(file.documentId)),
  );
  const steps: Step[] = [];
  const lateSteps: Step[] = [];
  const splitDocuments = new Set<string>();
  for (const unit of created) {
    const { documentId } = unit.file;
    // A link to the document itself needs the version of the same locale.
    const isMissing = (id: string): boolean => newIds.has(id) || id === documentId;
    const links = [...linksOf(model, unit)];
    const late = new Set(
      links.filter(([, targets]) => [...targets].some(isMissing)).map(([attribute]) => attribute),
    );
    // Translations follow the default locale, which comes first, so that they do not become older.
    if (late.size === 0 && !splitDocuments.has(documentId)) steps.push({ unit, writes: unit.writes });
    else {
      const [first, last] = splitCycle(unit, late);
      steps.push(first);
      if (last.writes.length > 0) lateSteps.push(last);
      splitDocuments.add(documentId);
    }
    newIds.delete(documentId);
  }
  const updates = changed.filter((unit) => !created.includes(unit));
  return [...steps, ...lateSteps, ...updates.map((unit) => ({ unit, writes: unit.writes }))];
}

export interface ApplyOptions extends MediaTarget {
  readonly deletes: boolean;
  /** True: one transaction for all files. False: one for each file. */
  readonly isAtomic: boolean;
  /** Runs all checks, and rolls everything back. */
  readonly isDryRun: boolean;
  /** Called after each transaction. */
  readonly onDone: (path: string) => void;
  /** Called for each uploaded file that is removed again after an atomic push failed. */
  readonly onReverted?: (path: string) => void;
}

const writeAll = async (store: ContentStore, type: Uid, writes: readonly ContentWrite[]): Promise<void> => {
  for (const write of writes)
    for (const outcome of await store.write(type, [write], { isAtomic: false }))
      if ('error' in outcome) throw outcome.error;
};

const inTransaction = <T>(store: ContentStore, work: () => Promise<T>, isDryRun: boolean): Promise<T> =>
  store.transact === null ? work() : store.transact(work, { isDryRun });

/** Adds the ids of stored components to writes, so that components keep values that files do not hold. */
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

/** Adds the required `updatedAt` of the document to the first write, if the store cannot lock documents. */
const requireRevision = (
  { lock, comparesRevisions }: ContentStore,
  writes: readonly ContentWrite[],
  updatedAt: string | null,
): readonly ContentWrite[] =>
  updatedAt === null || lock !== null || !comparesRevisions
    ? writes
    : writes.map((write, index) => (index === 0 ? { ...write, ifMatch: updatedAt } : write));

/** Returns the error of a file whose document has changed instead of the store's error. */
const errorOfStep = (error: unknown, location: string, content: StoredContent | null): unknown =>
  isGalleyError(error) && error.code === 'remote/changed' && content !== null
    ? changedDuringPush(content, location)
    : error;

const runSteps = async (
  store: ContentStore,
  plan: Plan,
  options: ApplyOptions & { readonly stored: Set<string>; readonly written: Set<string> },
): Promise<void> => {
  const isSeparate = !options.isAtomic && !options.isDryRun;
  const values: WrittenValues = new Map();
  const run = (work: () => Promise<void>): Promise<void> =>
    isSeparate ? inTransaction(store, work, false) : work();
  for (const { unit, writes } of orderWrites(store.model, plan.units)) {
    const { file, current }: PlannedUnit = unit;
    const expected = { writes, written: values, location: file.path };
    // Earlier writes of the transaction have changed shared values of the document.
    const isUnwritten = isSeparate || !values.has(file.documentId);
    try {
      await run(async () => {
        const updatedAt = current === null ? null : await assertCurrent(store, current, expected);
        const identified = identifyItems(store, unit, writes);
        await writeAll(
          store,
          file.type.uid,
          requireRevision(store, identified, isUnwritten ? updatedAt : null),
        );
      });
    } catch (thrown) {
      const error = errorOfStep(thrown, file.path, current);
      if (isGalleyError(error) && error.code === 'content/changed-during-push') throw error;
      rejectFileFor(file, error);
    }
    recordWritten(values, unit);
    options.stored.add(file.documentId);
    options.written.add(file.path);
    options.onDone(file.path);
  }
  for (const content of options.deletes ? plan.missing : []) {
    const { type, documentId, locale } = content;
    const write: ContentWrite = {
      action: 'delete',
      documentId,
      ...(locale === null ? {} : { locale }),
    };
    const location = `${type.singularName} ${documentId}`;
    await run(async () => {
      const updatedAt =
        plan.merging === null
          ? null
          : await assertCurrent(store, content, { writes: [write], written: values, location });
      await writeAll(
        store,
        type.uid,
        requireRevision(store, [write], isSeparate || !values.has(documentId) ? updatedAt : null),
      );
    }).catch((error: unknown) => {
      throw errorOfStep(error, location, content);
    });
    options.onDone(location);
  }
};

/** Throws the error of a transaction, with the file if the error names the document. */
const rejectTransaction = (plan: Plan, error: unknown): never => {
  const { documentId, locale } = isGalleyError(error) ? error.details : {};
  const file = plan.files.find(
    (other) => other.documentId === documentId && (other.locale === locale || other.locale === null),
  );
  if (file === undefined) throw error;
  const changed = errorOfStep(
    error,
    file.path,
    plan.units.find((unit) => unit.file === file)?.current ?? null,
  );
  if (changed !== error) throw changed;
  return rejectFileFor(file, error);
};

const writeDocuments = async (store: ContentStore, plan: Plan, options: ApplyOptions): Promise<void> => {
  const { root, isAtomic, isDryRun } = options;
  if (!isDryRun) await markNewFiles(root, plan);
  const stored = new Set<string>();
  const written = new Set<string>();
  const work = async (): Promise<void> => {
    if (isDryRun) await writePlannedMedia(store, plan.media.changes);
    await runSteps(store, plan, { ...options, stored, written });
  };
  try {
    await (isAtomic || isDryRun ? inTransaction(store, work, isDryRun) : work());
  } catch (error) {
    if (!isDryRun) {
      await restoreFiles(root, plan, isAtomic ? new Set() : stored);
      const isWritten = ({ file }: PlannedUnit): boolean => !isAtomic && written.has(file.path);
      await syncFiles(store, plan.merging?.folder ?? null, plan.units.filter(isWritten));
    }
    rejectTransaction(plan, error);
  }
  if (!isDryRun) await finishFiles(store, root, plan);
};

/** Removes uploaded files that were added. Replaced files and updated descriptions are kept. */
const removeUploads = async (
  { media, onReverted }: ApplyOptions,
  uploads: readonly UploadedFile[],
): Promise<void> => {
  for (const { action, path, id } of uploads)
    if (action === 'add' && id !== null && (await media.remove(id))) onReverted?.(path);
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
    if (isAtomic) await removeUploads(options, uploads);
    throw error;
  }
}
