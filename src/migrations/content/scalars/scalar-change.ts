import type { Attribute, ContentType, ScalarAttribute } from '../../../model/model.js';
import { renamedColumn, renamedTable } from '../../schema/renamed-location.js';
import type { ContentPlanRequest } from '../content-plan.js';
import { convertScalar } from '../convert-scalar.js';
import type { ScalarConversion } from '../convert-scalar.js';
import { fillOf } from './fill-value.js';
import type { Fill } from './fill-value.js';

/** A content-type on both sides of the migration. */
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

/** A scalar attribute that was another one before, or none. */
export interface KeptScalar extends TypePair {
  readonly kind: 'kept';
  /** Null where the attribute is new. */
  readonly from: {
    readonly attribute: ScalarAttribute;
    /** The column after the migration's renames. */
    readonly column: string;
    readonly conversion: ScalarConversion;
    /** True if what does not convert stays as it is. */
    readonly keepsRest: boolean;
  } | null;
  readonly attribute: ScalarAttribute;
  /** The attribute's name in the decisions of the user. */
  readonly key: string;
  readonly fill: Fill | null;
}

export type ScalarChange = RemovedScalar | KeptScalar;

const isJsonItems = (attribute: Attribute | null): boolean =>
  attribute?.family === 'component' || attribute?.family === 'dynamiczone';

/** The part for JSON columns plans what becomes of components, and of what becomes one. */
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
    return [...removed, { ...pair, kind: 'kept', from: null, attribute: after, key, fill }];
  const from = {
    attribute: before,
    column: columnOf(before),
    conversion: convertScalar(before, after, dialect, decisions, key),
    keepsRest: before.column.kind === after.column.kind && decisions.convert[key] === undefined,
  };
  return [{ ...pair, kind: 'kept', from, attribute: after, key, fill }];
};

/** Lists what becomes of the scalar attributes of all content-types, except of types that are removed. */
export function listScalarChanges(request: ContentPlanRequest): readonly ScalarChange[] {
  return request.match.types.flatMap(({ before, after, attributes }) =>
    after === null
      ? []
      : attributes.flatMap((pair) => compareAttribute(request, { before, after }, pair.before, pair.after)),
  );
}

/** True if the values stand in another column, or in one of another kind, after the migration. */
export function isMoved({ from, attribute }: KeptScalar): boolean {
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
