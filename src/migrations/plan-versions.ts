import { isDeepStrictEqual } from 'node:util';
import type { AtStake } from './at-stake.js';
import type { Step } from './compare-tables.js';
import { keepLinks, linkMoves, movedPlaces, refillLinks } from './link-moves.js';
import type { LinkMove } from './link-moves.js';
import type { MovedPlace } from './migration-head.js';
import type { Rename } from './rename-in-schema.js';
import type { Tables } from './schema-tables.js';
import { versionSql, versionStakes } from './version-rows.js';
import type { VersionChange } from './version-rows.js';
import { parseVersionTables, renameVersionTables } from './version-tables.js';

export interface VersionPlan {
  /** Statements to run before the tables change, and after. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Whether rows stand for something else, though none of them may change. */
  readonly isChanged: boolean;
  readonly steps: readonly Step[];
  readonly stakes: readonly AtStake[];
  readonly moved: readonly MovedPlace[];
  /** Whether what the tables alone put at stake is taken care of. */
  readonly settles: (stake: AtStake) => boolean;
}

interface VersionRequest {
  readonly previousSchema: string;
  readonly nextSchema: string;
  readonly renames: readonly Rename[];
  /** The tables of the next schema. */
  readonly next: Tables;
}

const stepsOf = ({ table, before, after }: VersionChange): readonly Step[] => [
  ...(before.drafts === after.drafts ? [] : [{ action: 'change-column', table, column: 'status' } as const]),
  ...(before.locales === after.locales ? [] : [{ action: 'change-column', table, column: 'locale' } as const]),
];

const isPlaceOf = (moves: readonly LinkMove[], stake: AtStake): boolean => {
  const columns = 'column' in stake ? [stake.column] : 'columns' in stake ? stake.columns : [];
  return moves.some(({ table, before, after }) => [before.link, after.link].some((link) => {
    if (link.table !== null) return stake.table === link.table && stake.kind !== 'reference';
    return stake.table === table && columns.length > 0 && columns.every((column) => link.columns.includes(column) || column === link.inverse);
  }));
};

/**
 * What becomes of rows where a type gets or loses drafts or locales, or an attribute becomes the same in all locales. Tables say nothing of
 * this, so that it is told from the lines that the schema keeps for it; of tables without such a line nothing is done.
 */
export function planVersions({ previousSchema, nextSchema, renames, next }: VersionRequest): VersionPlan {
  const [before, after] = [renameVersionTables(parseVersionTables(previousSchema), renames), parseVersionTables(nextSchema)];
  const changes = [...after].flatMap(([table, facts]): readonly VersionChange[] => {
    const known = before.get(table);
    return known === undefined || isDeepStrictEqual(known, facts) ? [] : [{ table, before: known, after: facts, columns: [...(next.get(table)?.columns.keys() ?? [])] }];
  });
  const moves = linkMoves(before, after);
  const rows = changes.flatMap(versionSql);
  return {
    before: keepLinks(moves),
    after: [...rows, ...refillLinks(moves)],
    isChanged: changes.some(({ before: old, after: now }) => !isDeepStrictEqual({ ...old, links: {} }, { ...now, links: {} })),
    steps: changes.flatMap(stepsOf),
    stakes: changes.flatMap(versionStakes),
    moved: movedPlaces(moves),
    settles: (stake) => isPlaceOf(moves, stake),
  };
}
