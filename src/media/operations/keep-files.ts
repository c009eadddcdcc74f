import { createDocumentId } from '../../lib/document-id.js';
import type { FileValues, FileWrite } from '../file-hooks.js';
import { contentValues, infoValues } from '../file-table.js';
import type { FileInfo, StagedFile } from '../media.js';
import type { MediaContext } from '../media-context.js';
import { changedValues } from './changed-values.js';
import { storeFiles } from './store-files.js';

interface Kept {
  readonly ids: readonly number[];
  readonly documentIds: readonly string[];
}

const store = async (context: MediaContext, files: readonly StagedFile[], rows: readonly FileValues[]): Promise<Kept> => {
  const made = rows.map((values) => ({ documentId: createDocumentId(), values }));
  const documentIds = made.map(({ documentId }) => documentId);
  const writes = made.map(({ documentId, values }): FileWrite => ({ action: 'create', documentId, data: values }));
  const ids = await storeFiles(context, files, async (tx) => {
    await context.files.reserve(tx, documentIds);
    for (const write of writes) await context.hooks.before(write, tx);
    return context.files.insert(tx, made);
  });
  for (const write of writes) await context.hooks.after(write);
  return { ids, documentIds };
};

/** Who takes part wraps each file's write; the innermost stores all of them. */
const enter = async (context: MediaContext, files: readonly StagedFile[], rows: readonly FileValues[], ready: readonly FileValues[] = []): Promise<Kept> => {
  const [values, ...others] = rows;
  if (values === undefined) return store(context, files, ready);
  let kept: Kept | null = null;
  await context.hooks.around({ action: 'create', documentId: null, data: values }, async (changed) => {
    const { ids, documentIds } = await enter(context, files, others, [...ready, changedValues(values, changed)]);
    kept = { ids, documentIds };
    return documentIds[ready.length] ?? null;
  });
  if (kept === null) throw new TypeError('A middleware kept a file from being made without saying why: it has to call next, or to throw.');
  return kept;
};

/** Stores files and writes their rows; answers the rows' ids in the same order. */
export async function keepFiles(context: MediaContext, files: readonly StagedFile[], infos: readonly FileInfo[]): Promise<readonly number[]> {
  const { name } = context.providers.current;
  const rows = files.map((file, index) => ({ ...contentValues(file, name), ...infoValues(infos[index] ?? {}) }));
  return (await enter(context, files, rows)).ids;
}
