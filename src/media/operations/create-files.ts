import { defined } from '../../lib/defined.js';
import { createDocumentId } from '../../lib/document-id.js';
import type { FileValues, FileWrite } from '../file-hooks.js';
import { contentValues, infoValues } from '../file-table.js';
import type { FileInfo, StagedFile } from '../media.js';
import type { MediaContext } from '../media-context.js';
import { withPlaces } from '../stored-places.js';
import { mergeChangedValues } from './run-file-write.js';
import { storeFiles } from './store-files.js';

interface CreatedFiles {
  readonly ids: readonly number[];
  readonly documentIds: readonly string[];
}

const storeAndInsert = async (
  context: MediaContext,
  files: readonly StagedFile[],
  rows: readonly FileValues[],
): Promise<CreatedFiles> => {
  const documentIds = rows.map((_row, index) => files[index]?.documentId ?? createDocumentId());
  let writes: readonly FileWrite[] = [];
  const ids = await storeFiles(context, files, async (tx, places) => {
    const newFiles = rows.map((values, index) => ({
      documentId: defined(documentIds[index], 'the id of a new file'),
      values: withPlaces(values, places),
    }));
    writes = newFiles.map(({ documentId, values }) => ({ action: 'create', documentId, data: values }));
    await context.files.reserve(tx, documentIds);
    for (const write of writes) await context.hooks.before(write, tx);
    return context.files.insert(tx, newFiles);
  });
  for (const write of writes) await context.hooks.after(write);
  return { ids, documentIds };
};

/** The middlewares wrap each file's write; the innermost call stores all files. */
const runMiddlewares = async (
  context: MediaContext,
  files: readonly StagedFile[],
  rows: readonly FileValues[],
  preparedRows: readonly FileValues[] = [],
): Promise<CreatedFiles> => {
  const [values, ...remainingRows] = rows;
  if (values === undefined) return storeAndInsert(context, files, preparedRows);
  let created: CreatedFiles | null = null;
  await context.hooks.around({ action: 'create', documentId: null, data: values }, async (changed) => {
    const { ids, documentIds } = await runMiddlewares(context, files, remainingRows, [
      ...preparedRows,
      mergeChangedValues(values, changed),
    ]);
    created = { ids, documentIds };
    return documentIds[preparedRows.length] ?? null;
  });
  if (created === null)
    throw new TypeError(
      'A middleware prevented the creation of a file: it must call next or throw an error.',
    );
  return created;
};

/** Stores files and writes their rows. Returns their ids in the same order. */
export async function createFiles(
  context: MediaContext,
  files: readonly StagedFile[],
  infos: readonly FileInfo[],
): Promise<readonly number[]> {
  const { name } = context.providers.current;
  const rows = files.map((file, index) => ({
    ...contentValues(file, name),
    ...infoValues(infos[index] ?? {}),
  }));
  return (await runMiddlewares(context, files, rows)).ids;
}
