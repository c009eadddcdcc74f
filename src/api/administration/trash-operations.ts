import * as v from 'valibot';
import type { RestoredDocument } from '../../documents/documents.js';
import { createError } from '../../errors/catalogue.js';
import { MINUTE_MS } from '../../lib/units.js';
import { DRY_RUN, TEXT, operation } from './operation.js';

const MAX_LISTED = 10_000;
const ID = v.pipe(v.number(), v.integer(), v.minValue(1));
const IDS = v.pipe(v.array(ID), v.maxLength(MAX_LISTED), v.readonly());
const NAMED = { id: ID };
const RESTORE_TIMEOUT_MS = 10 * MINUTE_MS;

const unknownEntry = (id: number) => createError('trash/unknown', { id });

/** Operations on deleted documents. Private values and passwords are never returned. */
export const TRASH_OPERATIONS = {
  list: operation({
    action: 'read',
    description: 'List deleted documents, the latest first',
    input: v.strictObject({
      type: v.exactOptional(TEXT),
      before: v.exactOptional(ID),
      limit: v.exactOptional(v.pipe(ID, v.maxValue(MAX_LISTED))),
    }),
    run: ({ withTrash }, { type, before, limit = 100 }) =>
      withTrash('read', (trash) =>
        trash.list({ types: type === undefined ? undefined : [type], before, limit }),
      ),
  }),
  get: operation({
    action: 'read',
    description: 'Read a deleted document',
    input: v.strictObject(NAMED),
    run: async ({ withTrash }, { id }) => {
      const found = await withTrash('read', (trash) => trash.find({ id }));
      if (found === null) throw unknownEntry(id);
      return found;
    },
  }),
  restore: operation({
    action: 'write',
    description: 'Restore deleted documents',
    input: v.strictObject({ ids: IDS, ...DRY_RUN }),
    run: ({ withTrash, rights }, { ids, dryRun = false }) =>
      withTrash(dryRun ? 'dryRun' : 'write', async (trash) => {
        const restored: RestoredDocument[] = [];
        for (const id of ids) {
          const document = await trash.restore({ id }, rights);
          if (document === null) throw unknownEntry(id);
          restored.push(document);
        }
        return restored;
      }),
    timeoutMs: RESTORE_TIMEOUT_MS,
  }),
  purge: operation({
    action: 'write',
    description: 'Delete documents in the trash for good',
    input: v.strictObject({
      ids: v.exactOptional(IDS),
      deletedBefore: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
      ...DRY_RUN,
    }),
    run: async ({ withTrash }, { dryRun = false, ...filter }) => ({
      count: await withTrash(dryRun ? 'dryRun' : 'write', (trash) => trash.purge(filter)),
    }),
  }),
} as const;
