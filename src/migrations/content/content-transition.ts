import { isDeepStrictEqual } from 'node:util';
import type { Attribute, ContentModel, ContentSchema, ContentType, Uid } from '../../model/model.js';
import type { ContentDecisions, ContentRename, PlannedDecisions } from './content-decisions.js';
import type { Inspection } from '../impact/data-impact.js';
import type { TableChange } from '../impact/table-changes.js';
import type { MigrationDialect } from '../../database/dialect/dialect.js';
import { renamedColumn, renamedTable } from '../schema/renames.js';
import type { Rename } from '../schema/renames.js';
import { contentAfterMigrations } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { asRecorded, modelOfSnapshot, withoutDefaults } from '../files/snapshots.js';
import type { ContentSnapshot } from '../files/snapshots.js';

/**
 * The contribution of one kind of storage to the plan. Statements use the names after the migration's
 * renames; inspections use the names before them.
 */
export interface ContentPlanPart {
  /** Run after tables and columns are renamed, and before they change. */
  readonly statementsBefore?: readonly string[];
  /** Run once the tables have changed, and before versions of documents are added or deleted. */
  readonly statementsAfter?: readonly string[];
  /** Run last, once versions of documents have been added or deleted. */
  readonly statementsLast?: readonly string[];
  /** True if the inspections count what a change of the tables drops. */
  readonly isCovered?: (change: TableChange) => boolean;
  readonly inspections?: readonly Inspection[];
}

export interface ContentPlanRequest {
  readonly before: ContentModel;
  readonly after: ContentModel;
  readonly match: ModelMatch;
  readonly renames: readonly Rename[];
  readonly decisions: PlannedDecisions;
  readonly dialect: MigrationDialect;
}

/** The two models of a migration, and the user's decisions about the content. */
export interface ContentTransition {
  readonly before: ContentModel;
  readonly after: ContentModel;
  readonly decisions: ContentDecisions;
}

/** SQL of a migration that changes no table. The next migration starts from its content-types. */
export const CONTENT_ONLY_SQL = '-- The content-types have changed, but none of their tables.\n';

/** True if the migrations do not lead to the content-types `next`. */
export function isContentChanged(next: ContentSnapshot | null, migrations: readonly Migration[]): boolean {
  if (next === null) return false;
  const previous = contentAfterMigrations(migrations);
  return (
    previous === null || !isDeepStrictEqual(withoutDefaults(asRecorded(next)), withoutDefaults(previous))
  );
}

/** The change of the content model that a migration was planned for. Null if it is not known. */
export function transitionOf(
  { name, snapshot, content, decisions }: Migration,
  migrations: readonly Migration[],
): ContentTransition | null {
  const parent = migrations.find((migration) => migration.name === snapshot?.parent);
  if (content === null || parent === undefined || parent.content === null) return null;
  return {
    before: modelOfSnapshot(parent.name, parent.content),
    after: modelOfSnapshot(name, content),
    decisions,
  };
}

/** The change of the content model from the migrations to `next`. Null if one of the two is not known. */
export function transitionTo(
  next: ContentSnapshot | null,
  migrations: readonly Migration[],
  decisions: ContentDecisions,
): ContentTransition | null {
  const previous = contentAfterMigrations(migrations);
  if (previous === null || next === null) return null;
  return {
    before: modelOfSnapshot(migrations.at(-1)?.name ?? '', previous),
    after: modelOfSnapshot('', next),
    decisions,
  };
}

/** An attribute before and after the migration. One of them is null if it was removed or added. */
interface MatchedAttribute {
  readonly before: Attribute | null;
  readonly after: Attribute | null;
}

/** A content-type that exists before the migration. `after` is null if it is removed. */
interface MatchedType {
  readonly before: ContentType;
  readonly after: ContentType | null;
  /** Empty if the type is removed. */
  readonly attributes: readonly MatchedAttribute[];
}

/** Mapping between the types, components and attributes of two models, including renamed ones. */
export interface ModelMatch {
  readonly types: readonly MatchedType[];
  /** The uid of a component after the migration; null if it no longer exists. */
  readonly componentAfter: (before: Uid) => Uid | null;
  /** The matched attributes of two components; an attribute without a counterpart has null. */
  readonly componentAttributes: (before: Uid, after: Uid) => readonly MatchedAttribute[];
}

/** Returns the table and column that hold an attribute. The column is null for link tables. */
const storageOf = (
  table: string,
  attribute: Attribute,
): { readonly table: string; readonly column: string | null } | null => {
  if ('column' in attribute) return { table, column: attribute.column.name };
  const { link } = attribute;
  if (link === null || attribute.side === 'inverse') return null;
  return link.kind === 'column' ? { table, column: link.column } : { table: link.table, column: null };
};

const pairAttributes = (
  before: ContentSchema,
  after: ContentSchema,
  renamedTo: (attribute: Attribute) => Attribute | undefined,
): readonly MatchedAttribute[] => {
  const renamed = new Map(
    Object.values(before.attributes).flatMap((attribute) => {
      const counterpart = renamedTo(attribute);
      return counterpart === undefined ? [] : [[attribute.name, counterpart] as const];
    }),
  );
  const claimed = new Set([...renamed.values()].map(({ name }) => name));
  const kept = Object.values(before.attributes).map((attribute): MatchedAttribute => {
    const sameName = claimed.has(attribute.name) ? undefined : after.attributes[attribute.name];
    return { before: attribute, after: renamed.get(attribute.name) ?? sameName ?? null };
  });
  const matched = new Set(kept.map((pair) => pair.after?.name));
  const added = Object.values(after.attributes).filter(({ name }) => !matched.has(name));
  return [...kept, ...added.map((attribute): MatchedAttribute => ({ before: null, after: attribute }))];
};

const matchType = (
  before: ContentType,
  types: readonly ContentType[],
  renames: readonly Rename[],
): MatchedType => {
  const table = before.storage.version.table;
  const newTable = renamedTable(table, renames);
  const after =
    types.find(({ storage }) => storage.version.table === newTable) ??
    types.find(({ uid }) => newTable === table && uid === before.uid) ??
    null;
  if (after === null) return { before, after, attributes: [] };
  const renamedTo = (attribute: Attribute): Attribute | undefined => {
    const storage = storageOf(table, attribute);
    if (storage === null) return undefined;
    const newColumn = storage.column === null ? null : renamedColumn(storage.table, storage.column, renames);
    const newLocation = { table: renamedTable(storage.table, renames), column: newColumn };
    const isInPlace = newColumn === storage.column && newLocation.table === storage.table;
    // A name that keeps its column, such as one that changes its case alone.
    if (isInPlace && after.attributes[attribute.name] !== undefined) return undefined;
    return Object.values(after.attributes).find((candidate) => {
      if (isInPlace && before.attributes[candidate.name] !== undefined) return false;
      const location = storageOf(after.storage.version.table, candidate);
      return location?.table === newLocation.table && location.column === newLocation.column;
    });
  };
  return { before, after, attributes: pairAttributes(before, after, renamedTo) };
};

/**
 * Matches two content models. Types and attributes match by the tables and columns that hold them, after the
 * renames, or else by name; components match by uid and the renames of the user.
 */
export function matchModels(
  before: ContentModel,
  after: ContentModel,
  renames: readonly Rename[],
  contentRenames: readonly ContentRename[],
): ModelMatch {
  const componentAfter = (uid: Uid): Uid | null => {
    const renamed = contentRenames.find((rename) => rename.kind === 'component' && rename.from === uid);
    const target = renamed?.to ?? uid;
    return after.componentsByUid[target] === undefined ? null : target;
  };
  return {
    types: before.types.map((type) => matchType(type, after.types, renames)),
    componentAfter,
    componentAttributes: (uidBefore, uidAfter) => {
      const [old, current] = [before.componentsByUid[uidBefore], after.componentsByUid[uidAfter]];
      if (old === undefined || current === undefined) return [];
      return pairAttributes(old, current, ({ name }) => {
        const renamed = contentRenames.find(
          (rename) =>
            rename.kind === 'component-attribute' && rename.component === uidBefore && rename.from === name,
        );
        return renamed === undefined ? undefined : current.attributes[renamed.to];
      });
    },
  };
}
