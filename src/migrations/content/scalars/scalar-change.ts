import { isUnique } from '../../../documents/validation/parse-scalar.js';
import { createError } from '../../../errors/catalogue.js';
import type { StoredScalar } from '../../../lib/stored-value.js';
import { textForm } from '../../../lib/stored-value.js';
import type { Attribute, ContentType, ScalarAttribute } from '../../../model/model.js';
import { quoteText } from '../../../database/dialect/sql-text.js';
import type { MigrationDialect } from '../../../database/dialect/dialect.js';
import { isPublished, remainingLocale } from '../../plan/version-sql.js';
import { renamedColumn, renamedTable } from '../../schema/renames.js';
import type { ContentDecisions } from '../content-decisions.js';
import type { ContentPlanRequest } from '../content-transition.js';
import { convertScalar } from './convert-scalar.js';
import type { ScalarConversion } from './convert-scalar.js';

/** The value for versions that have none. */
interface Fill {
  readonly value: StoredScalar;
  /** The stored value as SQL. */
  readonly sql: string;
}

const invalidFill = (key: string, value: unknown, reason: string) =>
  createError('migration/invalid-value', { attribute: key, value: JSON.stringify(value), reason });

const parseSet = (key: string, { field, constraints }: ScalarAttribute, value: unknown): StoredScalar => {
  if (field.hash !== undefined)
    throw invalidFill(key, value, 'a password is stored as a hash, which a migration cannot make');
  const parsed = field.parse(value, constraints, 'full');
  if (!parsed.ok) throw invalidFill(key, value, parsed.issues.map(({ message }) => message).join(', '));
  return parsed.value;
};

/**
 * Returns the value that the user sets for versions without one; null if there is none.
 *
 * @throws `migration/invalid-value`
 */
export function fillOf(
  key: string,
  attribute: ScalarAttribute,
  { set, useDefaults }: Pick<ContentDecisions, 'set' | 'useDefaults'>,
  { migrations }: MigrationDialect,
): Fill | null {
  const isSet = Object.hasOwn(set, key);
  const value = isSet
    ? parseSet(key, attribute, set[key])
    : useDefaults.includes(key)
      ? attribute.default
      : undefined;
  if (value === undefined || value === null) return null;
  if (isUnique(attribute)) throw invalidFill(key, set[key] ?? value, 'no two documents may have the same');
  const { kind } = attribute.column;
  const text = kind === 'json' ? JSON.stringify(value) : textForm(value);
  return { value, sql: migrations.values.storedOf(kind, quoteText(text)) };
}

/** A content-type before and after the migration. */
export interface TypePair {
  readonly before: ContentType;
  readonly after: ContentType;
}

/** A scalar attribute whose values are dropped as a whole. */
export interface RemovedScalar extends TypePair {
  readonly kind: 'removed';
  readonly attribute: ScalarAttribute;
  /** The column after the migration's renames. */
  readonly column: string;
  readonly reason: string;
}

/** A scalar attribute that exists after the migration: new, unchanged or converted. */
export interface PresentScalar extends TypePair {
  readonly kind: 'present';
  /** Its source before the migration; null if the attribute is new. */
  readonly from: {
    readonly attribute: ScalarAttribute;
    /** The column after the migration's renames. */
    readonly column: string;
    readonly conversion: ScalarConversion;
    /** True if values that do not convert stay as they are. */
    readonly keepsRest: boolean;
  } | null;
  readonly attribute: ScalarAttribute;
  /** The attribute's name in the decisions of the user. */
  readonly key: string;
  readonly fill: Fill | null;
}

export type ScalarChange = RemovedScalar | PresentScalar;

const isJsonItems = (attribute: Attribute | null): boolean =>
  attribute?.family === 'component' || attribute?.family === 'dynamiczone';

/** True if the plan of JSON columns covers the change, since components are involved. */
const isPlannedAsJson = (before: Attribute | null, after: Attribute | null): boolean =>
  isJsonItems(before) || (before?.family === 'scalar' && isJsonItems(after));

const removalReason = (before: ScalarAttribute, after: Attribute | null): string =>
  after === null
    ? 'the attribute is removed'
    : `a value of type ${before.type} cannot become one of type ${after.type}`;

const compareAttribute = (
  { renames, decisions, dialect }: ContentPlanRequest,
  pair: TypePair,
  before: Attribute | null,
  after: Attribute | null,
): readonly ScalarChange[] => {
  if (isPlannedAsJson(before, after)) return [];
  const columnOf = (attribute: ScalarAttribute): string =>
    renamedColumn(pair.before.storage.version.table, attribute.column.name, renames);
  const removed =
    before?.family === 'scalar' && after?.family !== 'scalar'
      ? [
          {
            ...pair,
            kind: 'removed',
            attribute: before,
            column: columnOf(before),
            reason: removalReason(before, after),
          } as const,
        ]
      : [];
  if (after?.family !== 'scalar') return removed;
  const key = `${pair.after.uid}.${after.name}`;
  const fill = fillOf(key, after, decisions, dialect);
  if (before?.family !== 'scalar')
    return [...removed, { ...pair, kind: 'present', from: null, attribute: after, key, fill }];
  const from = {
    attribute: before,
    column: columnOf(before),
    conversion: convertScalar(before, after, dialect, decisions, key),
    keepsRest: before.column.kind === after.column.kind && decisions.convert[key] === undefined,
  };
  return [{ ...pair, kind: 'present', from, attribute: after, key, fill }];
};

/** Lists the changes of the scalar attributes of all content-types that remain. */
export function listScalarChanges(request: ContentPlanRequest): readonly ScalarChange[] {
  return request.match.types.flatMap(({ before, after, attributes }) =>
    after === null
      ? []
      : attributes.flatMap((pair) => compareAttribute(request, { before, after }, pair.before, pair.after)),
  );
}

/** True if the values move to another column, or to one of another kind. */
export function isMoved({ from, attribute }: PresentScalar): boolean {
  return (
    from !== null &&
    (from.column !== attribute.column.name || from.attribute.column.kind !== attribute.column.kind)
  );
}

/** The name of the version table before the migration. */
export const tableBefore = ({ before }: Pick<TypePair, 'before'>): string => before.storage.version.table;

/** The name of the version table after the migration's renames. */
export const tableAfter = (
  pair: Pick<TypePair, 'before'>,
  { renames }: Pick<ContentPlanRequest, 'renames'>,
): string => renamedTable(tableBefore(pair), renames);

/** Returns the conditions for the versions `v` that remain after the migration. */
export function remainingVersions(
  { before, after }: TypePair,
  table = before.storage.version.table,
): readonly string[] {
  return [
    ...(before.draftAndPublish && !after.draftAndPublish
      ? [`("status" <> 'draft' OR NOT ${isPublished(table, 'v."document_id"', 'v."locale"')})`]
      : []),
    ...(before.localized && !after.localized
      ? [`"locale" = ${remainingLocale(table, 'v."document_id"')}`]
      : []),
  ];
}

/** Returns the columns that distinguish versions which may hold the same unique value after the migration. */
export function distinguishedBy({ before, after }: TypePair): readonly ('locale' | 'status')[] {
  return [
    ...(before.localized && !after.localized ? [] : (['locale'] as const)),
    ...(before.draftAndPublish && !after.draftAndPublish ? [] : (['status'] as const)),
  ];
}
