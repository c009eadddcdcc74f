import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { watch } from 'chokidar';
import { relativePath } from '../../lib/text.js';
import { applyPlan } from '../../transfer/files/apply-plan.js';
import { BASE_FOLDER, openBases } from '../../transfer/files/base-files.js';
import { conflictError, markPlan } from '../../transfer/files/conflict-files.js';
import { planMediaPush } from '../../transfer/files/push-media.js';
import { planPush } from '../../transfer/files/plan.js';
import type { Plan } from '../../transfer/files/plan.js';
import { readFolder } from '../../transfer/files/read-folder.js';
import type { ContentType } from '../../model/model.js';
import type { App } from '../open/open-app.js';
import { appMediaStores } from '../open/content-stores.js';
import { AWAIT_WRITE_FINISH } from './watch-project.js';

/** The outcome of saving content files. */
export type ContentEvent =
  | { readonly kind: 'content'; readonly plan: Plan }
  /** Nothing was written. The rejected files are tried again with the next save. */
  | { readonly kind: 'content-failed'; readonly error: unknown };

export interface ContentWatchOptions {
  /** Undefined to watch nothing. */
  readonly folder: string | undefined;
  readonly onEvent: (event: ContentEvent) => void;
}

export interface ContentWatch {
  /** Uses another app for writes. Retries files that could not be written. */
  readonly useApp: (app: App) => void;
  readonly close: () => Promise<void>;
}

/** Milliseconds. Changes within this time are written in one batch. */
const DEBOUNCE_MS = 20;

/**
 * Returns the part of the path that files of one write share: the two files of a document, or an uploaded
 * file and its metadata.
 */
const stemOf = (path: string): string => path.replace(/\.published(?=\.\w+$)/, '').replace(/\.yaml$/, '');

/** Returns a plan with only the changes of saved files. */
const onlySaved = (plan: Plan, saved: ReadonlySet<string>): Plan => {
  const stems = new Set([...saved].map(stemOf));
  const isSaved = ({ path }: { readonly path: string }): boolean => stems.has(stemOf(path));
  return {
    ...plan,
    missing: [],
    deleted: [],
    restored: [],
    obsolete: [],
    disputed: plan.disputed.filter(({ unit }) => unit !== null && isSaved(unit.file)),
    files: plan.files.filter(isSaved),
    units: plan.units.filter(
      ({ file, writes, merge }) =>
        isSaved(file) && (writes.length > 0 || (merge?.merged.conflicts.length ?? 0) > 0),
    ),
    media: { ...plan.media, changes: plan.media.changes.filter(isSaved) },
  };
};

const hasFolder = (folder: string, { origin, singularName }: ContentType): boolean =>
  origin === 'project' && existsSync(join(folder, singularName));

/** Writes saved files in one transaction. */
const writeSaved = async (app: App, root: string, saved: ReadonlySet<string>): Promise<Plan> => {
  const { content, media } = appMediaStores(app);
  const { model } = content;
  const types = model.types.filter((type) => hasFolder(root, type));
  const files = await readFolder(root, types);
  const folder = await openBases(content, types, { root, isDryRun: true });
  const merging = folder.bases.size === 0 ? null : { folder, choice: null, deletes: false };
  const mediaPlan = await planMediaPush(media, model, root);
  const plan = onlySaved(await planPush(content, types, files, { media: mediaPlan, merging }), saved);
  const marked = await markPlan(content, plan);
  if (marked.length > 0)
    throw conflictError(
      marked.flatMap(({ conflicts }) => conflicts),
      false,
    );
  await applyPlan(content, plan, {
    media,
    model,
    root,
    deletes: false,
    isAtomic: true,
    isDryRun: false,
    onDone: () => undefined,
  });
  return plan;
};

/** Watches a folder of content files, and writes saved files. Removing a file deletes nothing. */
export async function createContentWatch({ folder, onEvent }: ContentWatchOptions): Promise<ContentWatch> {
  if (folder === undefined) return { useApp: () => undefined, close: async () => undefined };
  let app: App | null = null;
  const saved = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const writeOnce = async (): Promise<void> => {
    const current = app;
    if (current === null || saved.size === 0) return;
    const paths = new Set(saved);
    saved.clear();
    try {
      const plan = await writeSaved(current, folder, paths);
      if (plan.units.length + plan.media.changes.length > 0) onEvent({ kind: 'content', plan });
    } catch (error) {
      for (const path of paths) saved.add(path);
      // The app may have been replaced and closed meanwhile.
      if (app === current) onEvent({ kind: 'content-failed', error });
    }
  };
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(writeOnce);
    }, DEBOUNCE_MS);
  };
  await mkdir(folder, { recursive: true });
  const watcher = watch(folder, { ignoreInitial: true, awaitWriteFinish: AWAIT_WRITE_FINISH });
  watcher.on('all', (event, path) => {
    const saving = relativePath(folder, path);
    if ((event !== 'add' && event !== 'change') || saving.startsWith(BASE_FOLDER)) return;
    saved.add(saving);
    schedule();
  });
  await new Promise<void>((resolve) => {
    watcher.once('ready', () => resolve());
  });
  return {
    useApp: (next) => {
      app = next;
      schedule();
    },
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
      await running;
    },
  };
}
