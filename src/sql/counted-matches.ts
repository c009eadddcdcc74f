import type { RawBuilder } from 'kysely';
import type { CountedMatches, CountedRows } from '../dialects/row-path.js';
import { defined } from '../lib/defined.js';
import type { ContentType } from '../model/model.js';
import type { CountedCondition } from './choose-index.js';
import type { CompileContext } from './compile-context.js';
import { linkingRows } from './filter.js';
import { column } from './scope.js';
import type { RowScope } from './scope.js';
import { createRowScope, versionTable } from './version-rows.js';

interface MatchOptions {
  readonly countedRows: CountedRows;
  /** Selects the versions of the read. */
  readonly versions: (scope: RowScope) => readonly RawBuilder<unknown>[];
}

/** Returns the rows of a type that meet a condition, found by the index that a read may start from. */
export function countedMatches(
  context: CompileContext,
  type: ContentType,
  condition: CountedCondition,
  { countedRows, versions }: MatchOptions,
): CountedMatches {
  const looking: CompileContext = { ...context, unindexed: new Set(), startsAtLink: false };
  const scope = createRowScope(context, type);
  if ('kind' in condition) {
    const inReverse = defined(countedRows.inReverse, 'the rows of a link');
    return { ...linkingRows(looking, scope, condition, inReverse), id: null };
  }
  return {
    id: column(scope.alias, 'id'),
    from: versionTable(scope),
    where: [...versions(scope), ...condition.map((node) => context.condition(looking, scope, node))],
  };
}
