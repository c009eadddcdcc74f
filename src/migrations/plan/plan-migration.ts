import { isDeepStrictEqual } from 'node:util';
import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { diffSchemas } from '../../database/prisma/schema-engine.js';
import type { ContentModel, ContentType, MorphLink, Uid } from '../../model/model.js';
import type { ApplyOptions } from '../apply/apply-migrations.js';
import { readHistory } from '../apply/migration-history.js';
import type { HistoryEntry } from '../apply/migration-history.js';
import { storageOf } from '../impact/table-changes.js';
import type { ContentDecisions } from '../content/content-decisions.js';
import type { ContentTransition } from '../content/content-transition.js';
import { printHeader } from '../files/load-migrations.js';
import type { Migration, MigrationHeader } from '../files/load-migrations.js';
import type { MigrationDraft } from '../files/migration-draft.js';
import type { ContentSnapshot } from '../files/snapshots.js';
import type { DataImpact } from '../impact/data-impact.js';
import type { MigrationDialect } from '../../database/dialect/dialect.js';
import { orderRenames, renameInSchema, sequenceRenames } from '../schema/renames.js';
import type { Rename } from '../schema/renames.js';
import { parseTables } from '../schema/schema-tables.js';
import type { Table, Tables } from '../schema/schema-tables.js';
import { compareStates } from './compare-states.js';
import type { MigrationEffects, StateComparison } from './compare-states.js';
import type { MigrationStep } from './compare-tables.js';

/*
 * Plans the SQL between two states of a project. Start with `planMigration`. compare-states joins the parts
 * of a plan; compare-tables compares two schemas; plan-versions plans drafts and locales;
 * additive decides if older code may keep running.
 */

interface PlanRequest {
  /** The schema after the migrations on disk. Null if there are none. */
  readonly previousSchema: string | null;
  readonly nextSchema: string;
  /** Renames of tables and columns. Default: those that follow from the decisions about the content. */
  readonly renames?: readonly Rename[];
  readonly dialect: MigrationDialect;
  /** The content models before and after. Null if one of them is not known. */
  readonly transition?: ContentTransition | null;
}

/** A migration between two schemas: its SQL and its effects. */
export interface MigrationPlan extends MigrationEffects, Pick<StateComparison, 'tableChanges'> {
  /** Empty if the schemas are equal for the database. */
  readonly sql: string;
  readonly steps: readonly MigrationStep[];
  readonly renames: readonly Rename[];
}

/** The state after a migration, and the user's decisions. */
export interface PlannedState {
  readonly nextSchema: string;
  /** The content-types after the migration. Without them, only tables and columns are compared. */
  readonly nextContent?: ContentSnapshot | null;
  /** The user's decisions about stored values. */
  readonly decisions?: ContentDecisions;
  /** Renames of tables and columns. Default: those that follow from the decisions. */
  readonly renames?: readonly Rename[];
}

/** The state that a plan starts from. It is compared again before the plan is applied. */
export interface PlanBasis {
  /** The migrations on disk. */
  readonly migrations: readonly Migration[];
  /** The records of the database. */
  readonly history: readonly HistoryEntry[];
}

/** A migration as it is shown, confirmed and applied. */
export interface Plan extends MigrationPlan {
  readonly state: PlannedState;
  readonly basis: PlanBasis;
  /** The content model before the migration. Null if it is not known. */
  readonly before: ContentModel | null;
  /** The effects of the plan on the stored values of this database. */
  readonly impact: readonly DataImpact[];
  /** True if it only adds, so that instances of the previous release may continue to serve. */
  readonly isAdditive: boolean;
}

export interface ApplyPlanOptions extends ApplyOptions {
  /** The user's name for the migration. */
  readonly label: string;
  /** Returns the migrations that are not published. If set, changes are folded into the last one. */
  readonly findUnpublished?: () => Promise<ReadonlySet<string>>;
  /**
   * Throws if the content-types have changed since they were loaded. Another process may have migrated them,
   * and the plan would revert that.
   */
  readonly assertLoaded?: () => Promise<void>;
}

const tableRename = (from: string | null, to: string | null): readonly Rename[] =>
  from === null || to === null || from === to ? [] : [{ kind: 'table', from, to }];

const columnRename = (table: string, from: string, to: string | undefined): readonly Rename[] =>
  to === undefined || to === from ? [] : [{ kind: 'column', table, from, to }];

/** Returns the renames of an attribute's columns and link table. An inverse side has neither. */
const attributeRenames = (
  before: ContentType,
  after: ContentType,
  from: string,
  to: string,
): readonly Rename[] => {
  const { table } = after.storage.version;
  const [former, current] = [storageOf(before.attributes[from]), storageOf(after.attributes[to])];
  return [
    ...former.columns.flatMap((column, index) => columnRename(table, column, current.columns[index])),
    ...tableRename(former.linkTable, current.linkTable),
  ];
};

const morphLinks = ({ types }: ContentModel): readonly MorphLink[] =>
  types.flatMap(({ attributes }) =>
    Object.values(attributes).flatMap((attribute) =>
      attribute.family === 'relation' && attribute.side === 'owner' && attribute.link?.kind === 'morph'
        ? [attribute.link]
        : [],
    ),
  );

/** Returns the renames of columns in polymorphic link tables that point to the type. */
const morphColumnRenames = (
  { before, after }: ContentTransition,
  former: ContentType,
  current: ContentType,
  uidAfter: (uid: Uid) => Uid,
): readonly Rename[] =>
  morphLinks(before).flatMap((link) => {
    const linkAfter = morphLinks(after).find(
      ({ owner, ownerAttribute }) => owner === uidAfter(link.owner) && ownerAttribute === link.ownerAttribute,
    );
    const from = link.targets.find(({ uid }) => uid === former.uid);
    const to = linkAfter?.targets.find(({ uid }) => uid === current.uid);
    return linkAfter === undefined || from === undefined
      ? []
      : columnRename(linkAfter.table, from.column, to?.column);
  });

/**
 * Returns the renames of tables and columns for renamed types and attributes, in an order in which each new
 * name is free.
 */
function storageRenames(transition: ContentTransition): readonly Rename[] {
  const { before, after, decisions } = transition;
  const types = decisions.renames.filter((rename) => rename.kind === 'type');
  const attributes = decisions.renames.filter((rename) => rename.kind === 'attribute');
  const uidAfter = (uid: Uid): Uid => types.find(({ from }) => from === uid)?.to ?? uid;
  const ofTypes = types.flatMap(({ from, to }): readonly Rename[] => {
    const [former, current] = [before.typesByUid[from], after.typesByUid[to]];
    if (former === undefined || current === undefined) return [];
    const kept = Object.keys(former.attributes).filter(
      (name) => !attributes.some((rename) => rename.type === from && rename.from === name),
    );
    return [
      ...tableRename(former.storage.version.table, current.storage.version.table),
      ...tableRename(former.storage.document.table, current.storage.document.table),
      ...kept.flatMap((name) => attributeRenames(former, current, name, name)),
      ...morphColumnRenames(transition, former, current, uidAfter),
    ];
  });
  const ofAttributes = attributes.flatMap(({ type, from, to }): readonly Rename[] => {
    const [former, current] = [before.typesByUid[type], after.typesByUid[uidAfter(type)]];
    return former === undefined || current === undefined ? [] : attributeRenames(former, current, from, to);
  });
  return sequenceRenames([...ofTypes, ...ofAttributes]);
}

/** An index that `versionIndex` of the Prisma schema prints: after status and locale, before the id. */
const VERSION_INDEX = /^(CREATE INDEX "[^"]+" ON "([^"]+)"\("status", "locale", )(.+)(, "id"\);)$/gm;

const orderColumn = (item: string, table: Table | undefined, dialect: MigrationDialect): string => {
  const [, name = '', descending] = /^"([^"]+)"( DESC)?$/.exec(item) ?? [];
  const isText = table?.columns.get(name)?.type === 'String';
  return dialect.migrations.orderedColumn({
    name: `"${name}"`,
    isText,
    isDescending: descending !== undefined,
  });
};

/** Changes the indexes of version tables so that they have the order in which the API sorts. */
function orderIndexes(sql: string, tables: Tables, dialect: MigrationDialect): string {
  return sql.replaceAll(
    VERSION_INDEX,
    (_statement, start: string, table: string, columns: string, end: string) =>
      start +
      columns
        .split(', ')
        .map((item) => orderColumn(item, tables.get(table), dialect))
        .join(', ') +
      end,
  );
}

const renameStep = (rename: Rename): MigrationStep =>
  rename.kind === 'table'
    ? { action: 'rename-table', table: rename.from, to: rename.to }
    : { action: 'rename-column', table: rename.table, column: rename.from, to: rename.to };

/** Returns renames for columns whose values cannot be converted to their new type, and which are dropped. */
const discardedColumnRenames = ({ replacedColumns, previous, next }: StateComparison): readonly Rename[] =>
  replacedColumns.map(({ table, column }) => {
    const isTaken = (name: string): boolean =>
      previous.get(table)?.columns.has(name) === true || next.get(table)?.columns.has(name) === true;
    let to = `${column}_old`;
    while (isTaken(to)) to += '_';
    return { kind: 'column', table, from: column, to };
  });

/** Returns the requested renames, or those of the transition, in an order in which each new name is free. */
const orderedRenames = async ({
  previousSchema,
  renames,
  transition = null,
}: PlanRequest): Promise<readonly Rename[]> => {
  const requested = renames ?? (transition === null ? [] : storageRenames(transition));
  if (previousSchema === null || requested.length === 0) return [];
  return orderRenames(await parseTables(previousSchema), requested);
};

/** Returns the SQL between the schemas. Values are converted before and after it. */
const printTableSql = async (
  request: PlanRequest,
  comparison: StateComparison,
): Promise<{ readonly discarding: readonly string[]; readonly changing: readonly string[] }> => {
  const { nextSchema, previousSchema, dialect } = request;
  const discarded = renameInSchema(comparison.renamed.text, discardedColumnRenames(comparison), dialect);
  const from = previousSchema === null ? null : discarded.text;
  if (from === nextSchema) return { discarding: [], changing: [] };
  const sql = await diffSchemas({ from, to: nextSchema, provider: dialect.schema.provider });
  return {
    discarding: discarded.sql,
    changing: sql === '' ? [] : [orderIndexes(sql, comparison.next, dialect)],
  };
};

/**
 * Compares two schemas. Returns the SQL that migrates from one to the other, and its effects. Reads no
 * database and changes nothing.
 *
 * A column whose values cannot be converted to its new type is renamed, dropped and added again. PostgreSQL
 * would do the same without it, but SQLite would keep values of the old type that cannot be read.
 *
 * @throws `migration/invalid-schema`, `migration/invalid-rename`
 */
export async function planMigration(request: PlanRequest): Promise<MigrationPlan> {
  const { previousSchema, nextSchema, dialect, transition = null } = request;
  const renames = await orderedRenames(request);
  const comparison = await compareStates({
    previousSchema: previousSchema ?? '',
    nextSchema,
    renames,
    transition,
    dialect,
  });
  const { discarding, changing } = await printTableSql(request, comparison);
  const { renamed, statementsBefore, statementsAfter, steps } = comparison;
  return {
    ...comparison,
    sql: [...renamed.sql, ...statementsBefore, ...discarding, ...changing, ...statementsAfter].join('\n'),
    steps: [...(request.renames ?? renames).map(renameStep), ...steps],
    renames,
  };
}

/** Prints the migration's file: the header with its renames and decisions, and the SQL. */
export function printMigration(
  { renames, sql }: Pick<MigrationPlan, 'renames' | 'sql'>,
  accepted: Pick<MigrationHeader, 'isDataLossAccepted' | 'isInvalidAccepted' | 'decisions'>,
): string {
  return printHeader({ renames, ...accepted }) + sql;
}

/** True if both have the same migrations and records, with the same checksums. */
export function haveSameDigest(left: PlanBasis, right: PlanBasis): boolean {
  const digestOf = ({ migrations, history }: PlanBasis) => ({
    migrations: migrations.map(({ name, checksum }) => ({ name, checksum })),
    history,
  });
  return isDeepStrictEqual(digestOf(left), digestOf(right));
}

/** True if the records and the folders are still those of the basis. Reads only names of folders. */
export async function isCurrent(
  session: MigrationSession,
  { migrations, history }: PlanBasis,
  draft: Pick<MigrationDraft, 'names'> | null,
): Promise<boolean> {
  if (!isDeepStrictEqual(await readHistory(session), history)) return false;
  return (
    draft === null ||
    isDeepStrictEqual(
      draft.names(),
      migrations.map(({ name }) => name),
    )
  );
}
