import { matchModels, transitionOf } from '../content/content-transition.js';
import type { ContentTransition } from '../content/content-transition.js';
import { spaceCountedLinksSql } from '../content/links/plan-links.js';
import { planContent } from '../content/plan-content.js';
import type { Migration } from '../files/load-migrations.js';
import type { Inspection } from '../impact/data-impact.js';
import { dropsOf, inspectTables, withOriginalNames } from '../impact/table-changes.js';
import type { Drop, TableChange } from '../impact/table-changes.js';
import { joinClauses, quoteName } from '../../database/dialect/sql-text.js';
import type { MigrationDialect } from '../../database/dialect/dialect.js';
import { readModels, renameInSchema } from '../schema/renames.js';
import type { Rename, RenamedSchema } from '../schema/renames.js';
import { parseTables } from '../schema/schema-tables.js';
import type { Tables } from '../schema/schema-tables.js';
import { hasMapArgument, parseAttributes, readFieldList, replaceAttribute } from '../schema/schema-text.js';
import type { Attribute } from '../schema/schema-text.js';
import { compareTables } from './compare-tables.js';
import type { MigrationStep, TableComparison } from './compare-tables.js';
import { planVersions } from './plan-versions.js';

/** An index or key that the schema names. */
interface NamedConstraint {
  readonly name: string;
  readonly kind: 'index' | 'key';
  readonly table: string;
  /** Identity of the constraint for comparison: its attribute, table and columns. */
  readonly subject: string;
  readonly line: number;
  readonly attribute: Attribute;
}

const KINDS: Readonly<Record<string, NamedConstraint['kind']>> = {
  '@@unique': 'index',
  '@@index': 'index',
  '@relation': 'key',
  '@id': 'key',
};

const MAP_ARGUMENT = /\bmap\s*:\s*"([^"\\]+)"/;

const readConstraints = (lines: readonly string[]): readonly NamedConstraint[] =>
  readModels(lines).flatMap(({ block, table, fields }) =>
    lines.slice(block.start + 1, block.end).flatMap((text, offset) =>
      parseAttributes(text).flatMap((attribute): readonly NamedConstraint[] => {
        const kind = KINDS[attribute.name];
        const [, name] = (hasMapArgument(attribute) && MAP_ARGUMENT.exec(attribute.args ?? '')) || [];
        if (kind === undefined || name === undefined) return [];
        const columns = readFieldList(attribute).map(
          (field) => fields.find((candidate) => candidate.name === field)?.column ?? field,
        );
        const subject = JSON.stringify([attribute.name, table, columns]);
        return [{ name, kind, table, subject, line: block.start + 1 + offset, attribute }];
      }),
    ),
  );

/**
 * Frees the names of indexes and keys that the next schema uses for others, as when columns or tables swap
 * names. Such an index is dropped and later created again. Such a key gets a temporary name.
 */
function freeConstraintNames(schemaText: string, nextSchema: string): RenamedSchema {
  const lines = schemaText.split('\n');
  const next = new Map(readConstraints(nextSchema.split('\n')).map(({ name, subject }) => [name, subject]));
  const taken = readConstraints(lines).filter(({ name, subject }) => (next.get(name) ?? subject) !== subject);
  const sql = taken.map(({ name, kind, table, line, attribute }): string => {
    const text = lines[line] ?? '';
    if (kind === 'index') {
      lines[line] = '';
      return `DROP INDEX ${quoteName(name)};`;
    }
    const freed = `${name}_`;
    const args = (attribute.args ?? '').replace(MAP_ARGUMENT, `map: ${JSON.stringify(freed)}`);
    lines[line] = replaceAttribute(text, attribute, `${attribute.name}(${args})`);
    return joinClauses(
      `ALTER TABLE ${quoteName(table)}`,
      `RENAME CONSTRAINT ${quoteName(name)} TO ${quoteName(freed)};`,
    );
  });
  return { text: lines.join('\n'), sql };
}

/** The effects of a migration on the database that it starts from. */
export interface MigrationEffects {
  /** The steps between the tables, by the names after the renames. */
  readonly tableSteps: readonly MigrationStep[];
  /** The tables and columns that it drops, by the names before the renames. */
  readonly drops: readonly Drop[];
  /** Inspections that count its impact in a database. */
  readonly inspections: readonly Inspection[];
}

/** The difference between two states of a project, without the SQL between the schemas. */
export interface StateComparison extends MigrationEffects {
  readonly renamed: RenamedSchema;
  readonly previous: Tables;
  readonly next: Tables;
  readonly replacedColumns: TableComparison['replacedColumns'];
  readonly statementsBefore: readonly string[];
  readonly statementsAfter: readonly string[];
  readonly steps: readonly MigrationStep[];
  /** The changes of tables that the content plan does not count, by the names before the renames. */
  readonly tableChanges: readonly TableChange[];
}

export interface StateChange {
  readonly previousSchema: string;
  readonly nextSchema: string;
  /** Renames, in the order in which they run. */
  readonly renames: readonly Rename[];
  /** The content models before and after. Null if one of them is not known. */
  readonly transition: ContentTransition | null;
  readonly dialect: MigrationDialect;
}

/** Renames tables and columns, and frees the names of constraints that swap with them. */
const renameAll = ({ previousSchema, nextSchema, renames, dialect }: StateChange): RenamedSchema => {
  const renamed = renameInSchema(previousSchema, renames, dialect);
  if (renames.length === 0) return renamed;
  const freed = freeConstraintNames(renamed.text, nextSchema);
  return { text: freed.text, sql: [...renamed.sql, ...freed.sql] };
};

/** True if a new key is already counted among the remaining versions. */
const includesKey = (counted: TableChange, change: TableChange): boolean =>
  counted.kind === 'unique' &&
  change.kind === 'unique' &&
  counted.table === change.table &&
  change.amongPublished === true &&
  counted.columns.every((column) => change.columns.includes(column));

const NO_CONTENT: ReturnType<typeof planContent> = {
  statementsBefore: [],
  statementsAfter: [],
  statementsLast: [],
  isCovered: () => false,
  inspections: [],
};

/** Compares two states of a project. Reads no database. */
export async function compareStates(change: StateChange): Promise<StateComparison> {
  const { previousSchema, nextSchema, renames, transition, dialect } = change;
  const renamed = renameAll(change);
  const previous: Tables = previousSchema === '' ? new Map() : await parseTables(renamed.text);
  const next = await parseTables(nextSchema);
  const compared = compareTables(previous, next);
  const { replacedColumns } = compared;
  const match =
    transition === null
      ? null
      : matchModels(transition.before, transition.after, renames, transition.decisions.renames);
  const content =
    transition === null || match === null
      ? NO_CONTENT
      : planContent({ ...transition, match, renames, dialect });
  const versions = planVersions(match?.types ?? [], { previous, next, replacedColumns });
  const withFormerNames = (found: TableChange): TableChange => withOriginalNames(found, renames);
  const tableChanges = [
    ...compared.changes.filter(
      (found) => !content.isCovered(found) && !versions.violatedKeys.some((key) => includesKey(key, found)),
    ),
    ...versions.violatedKeys,
  ].map(withFormerNames);
  return {
    renamed,
    previous,
    next,
    replacedColumns,
    statementsBefore: content.statementsBefore,
    statementsAfter: [
      ...content.statementsAfter,
      ...versions.statements,
      ...content.statementsLast,
      ...(transition === null ? [] : spaceCountedLinksSql(transition.after, previous, dialect)),
    ],
    steps: [...compared.steps, ...versions.steps],
    tableSteps: compared.steps,
    drops: dropsOf(compared.changes.map(withFormerNames)),
    tableChanges,
    inspections: [...content.inspections, inspectTables(tableChanges, transition?.before ?? null)],
  };
}

/**
 * Returns the effects of a migration by the snapshots in its folder and in that of its parent. Null if it was
 * written by hand.
 *
 * @param migrations the migrations that it may have been planned after
 */
export async function effectsOf(
  migration: Migration,
  migrations: readonly Migration[],
  dialect: MigrationDialect,
): Promise<MigrationEffects | null> {
  const { snapshot, renames } = migration;
  if (snapshot === null) return null;
  const parent = migrations.find(({ name }) => name === snapshot.parent)?.snapshot;
  return compareStates({
    previousSchema: parent?.text ?? '',
    nextSchema: snapshot.text,
    renames: parent === undefined ? [] : renames,
    transition: transitionOf(migration, migrations),
    dialect,
  });
}
