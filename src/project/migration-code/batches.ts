import type { Database } from '../../database/database.js';
import type { GetRepository } from '../../documents/repository/document-repository.js';
import type { AnyDocument } from '../../documents/repository/project-types.js';
import { isRecord } from '../../lib/is-record.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel } from '../../model/model.js';
import type { Batches } from './migration-context.js';

const DEFAULT_SIZE = 100;

export interface BatchesDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  readonly documents: GetRepository;
  /** The prefix of the keys under which progress is stored. */
  readonly statePrefix: string;
  readonly onProgress: (completed: number, total: number) => void;
}

interface Position {
  /** The id of the last document of the last batch that has ended. */
  readonly after: string;
  readonly completed: number;
}

const START: Position = { after: '', completed: 0 };

const readPosition = async (database: Database, key: string): Promise<Position> => {
  const row = await database.transact((tx) => tx.model('SystemState').findUnique({ where: { key } }));
  const value: unknown = typeof row?.['value'] === 'string' ? JSON.parse(row['value']) : null;
  return isRecord(value) && typeof value['after'] === 'string'
    ? { after: value['after'], completed: Number(value['completed']) }
    : START;
};

const savePosition = async (database: Database, key: string, position: Position): Promise<void> => {
  const value = JSON.stringify(position);
  await database.transact((tx) =>
    tx.model('SystemState').upsert({ where: { key }, create: { key, value }, update: { value } }),
  );
};

/** Creates `batches` for one run of a migration's code. Calls are told apart by their order. */
export function createBatches({
  database,
  model,
  documents,
  statePrefix,
  onProgress,
}: BatchesDependencies): Batches {
  let calls = 0;
  const { placeholder } = database.dialect.expressions;
  return async (uid, { size = DEFAULT_SIZE, ...params }, work) => {
    if (!Number.isInteger(size) || size < 1)
      throw new RangeError(`size must be a whole number above 0, not ${String(size)}`);
    // Of any type: the types of the project do not matter here.
    const find: (query: object) => Promise<readonly AnyDocument[]> = documents<string>(uid).findMany;
    calls += 1;
    const key = `${statePrefix}${calls} ${uid}`;
    const { table } = typeOf(model, uid).storage.document;
    const total = await database.readNumber(`SELECT count(*) FROM "${table}"`, []);
    let position = await readPosition(database, key);
    for (;;) {
      onProgress(position.completed, total);
      const ids = await database.readTexts(
        `SELECT document_id FROM "${table}" WHERE document_id > ${placeholder(1)}
         ORDER BY document_id LIMIT ${size}`,
        [position.after],
      );
      const after = ids.at(-1);
      if (after === undefined || after === null) return;
      const filters = { $and: [params.filters ?? {}, { documentId: { $in: ids } }] };
      const batch = await find({ ...params, filters, sort: 'documentId' });
      if (batch.length > 0) await work(batch);
      position = { after, completed: position.completed + ids.length };
      await savePosition(database, key, position);
    }
  };
}
