import { quoteName } from '../../database/dialect/sql-text.js';
import type { Trial } from '../../database/dialect/trial.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel } from '../../model/model.js';
import type { ReadQuery } from '../../query/query.js';
import { readShapeOf } from '../../query/read-shape.js';
import { compileCount, compileRead } from '../../query/compile/compile-read.js';
import { parameteriseCount, parameteriseRead } from '../../query/compile/parameterise.js';
import { bindSlots } from '../../query/compile/parameter-slots.js';
import type { BoundValue } from '../../database/dialect/sql-expressions.js';
import { remediesOf } from './remedies.js';
import type { Remedy } from './remedies.js';

/** Fewer rows are looked at faster than anybody notices. */
export const FEW_ROWS = 1000;

/** The statement of a read, without what it populates. */
export interface PlainStatement {
  readonly sql: string;
  readonly parameters: readonly BoundValue[];
}

/** Compiles a read as a model would have it, without what it populates. */
export function compilePlain(
  { expressions }: Trial,
  model: ContentModel,
  query: ReadQuery,
  isCount: boolean,
): PlainStatement {
  const plain: ReadQuery = { ...query, selection: { fields: [], populate: [] } };
  const { sql, slots } = (isCount ? compileCount : compileRead)(model, plain, expressions);
  const { values } = (isCount ? parameteriseCount : parameteriseRead)(plain);
  return { sql, parameters: bindSlots(expressions, slots, values) };
}

/** True if a type has more rows than are looked at in no time. */
export const hasManyRows = async (
  trial: Trial,
  model: ContentModel,
  { type }: Pick<Remedy, 'type'>,
): Promise<boolean> => {
  const table = quoteName(typeOf(model, type).storage.version.table);
  const [count] = await trial.values(
    `select count(*) from
       (select 1 from ${table} where "status" = 'published' limit ${FEW_ROWS + 1}) as "rows"`,
    [],
  );
  return Number(count) > FEW_ROWS;
};

/**
 * Returns the indexes that would keep a read from looking at more than a thousand rows. Empty where it does
 * not, or where no index helps.
 */
export async function findScan(
  trial: Trial,
  model: ContentModel,
  query: ReadQuery,
  isCount: boolean,
): Promise<readonly Remedy[]> {
  const remedies: Remedy[] = [];
  for (const remedy of remediesOf(model, readShapeOf(query, isCount)))
    if (await hasManyRows(trial, model, remedy)) remedies.push(remedy);
  if (remedies.length === 0) return [];
  const { sql, parameters } = compilePlain(trial, model, query, isCount);
  const { scans, sorts, filters } = await trial.explain(sql, parameters);
  return scans || sorts || (filters && query.filter !== null) ? remedies : [];
}
