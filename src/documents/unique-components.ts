import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ColumnKind, JsonValue, StoredScalar } from '../lib/stored-value.js';
import type { FaultList } from '../validation/faults.js';
import type { ComponentStep, ComponentUnique } from '../validation/input.js';
import type { Probe } from './probe.js';
import { writtenStatuses } from './write-scope.js';
import type { WriteScope } from './write-scope.js';

const TAKEN = 'must be unique: another component has this value';

const placeOf = ({ steps, attribute }: ComponentUnique): string => JSON.stringify([steps, attribute.name]);

/** Faults of values that one document has twice in the same place. */
const addRepeated = (uniques: readonly ComponentUnique[], faults: FaultList): void => {
  const seen = new Set<string>();
  for (const unique of uniques) {
    const key = `${placeOf(unique)} ${JSON.stringify(unique.value)}`;
    if (seen.has(key)) faults.add(unique.path, TAKEN);
    seen.add(key);
  }
};

interface StoredComponents {
  /** The version table and the JSON rows leading to the components. */
  readonly from: RawBuilder<unknown>;
  readonly item: RawBuilder<unknown>;
  readonly isWanted: RawBuilder<unknown>;
}

/** The components in one place of all versions of a type: the rows of each level's JSON list, one level after the other. */
const storedComponents = ({ dialect }: Probe, { type }: WriteScope, steps: readonly ComponentStep[]): StoredComponents => {
  const conditions: RawBuilder<unknown>[] = [sql`1 = 1`];
  let from: RawBuilder<unknown> = sql`${sql.id(type.storage.version.table)} as s`;
  let item: RawBuilder<unknown> = sql`null`;
  steps.forEach(({ attribute, component }, depth) => {
    const root = type.attributes[attribute];
    const json = depth === 0 && root !== undefined && 'column' in root ? sql`${sql.id('s', root.column.name)}` : dialect.jsonMember(item, attribute);
    const rows = dialect.jsonRows(json, `j${depth}`);
    from = sql`${from}, ${rows.from}`;
    item = rows.item;
    if (depth === 0 && root?.family === 'dynamiczone') conditions.push(sql`${dialect.jsonField(item, '__component', 'text')} = ${component}`);
  });
  return { from, item, isWanted: sql.join(conditions, sql` and `) };
};

/** Times are kept as text in JSON. */
const comparedAs = (kind: ColumnKind): ColumnKind => (kind === 'datetime' ? 'text' : kind);

/** Big integers are text in JSON, too, and compared as numbers. */
const comparable = (kind: ColumnKind, value: JsonValue): StoredScalar => (kind === 'bigint' && typeof value === 'string' ? BigInt(value) : value);

const localesToCheck = (scope: WriteScope, [first]: readonly ComponentStep[]): readonly string[] => {
  const root = first === undefined ? undefined : scope.type.attributes[first.attribute];
  if (!scope.type.localized || root?.localized === true) return [scope.locale];
  return [...new Set([scope.locale, ...scope.rows.map(({ locale }) => locale)])];
};

const askPlace = (probe: Probe, scope: WriteScope, uniques: readonly [ComponentUnique, ...ComponentUnique[]], faults: FaultList): void => {
  const { dialect } = probe;
  const [{ attribute, steps }] = uniques;
  const kind = comparedAs(attribute.column.kind);
  const { from, item, isWanted } = storedComponents(probe, scope, steps);
  const among = (value: RawBuilder<unknown>, texts: readonly string[]): RawBuilder<unknown> => dialect.among(value, 'text', dialect.encodeList('text', texts));
  const isTaken = dialect.among(dialect.jsonField(item, attribute.name, kind), kind, dialect.encodeList(kind, uniques.map(({ value }) => comparable(kind, value))));
  const taken = new Set<string>();
  probe.add({
    select: { text1: dialect.jsonMember(item, attribute.name) },
    from: sql`${from} where ${isWanted} and ${isTaken} and s.document_id <> ${scope.documentId} and ${among(sql`s.locale`, localesToCheck(scope, steps))} and ${among(sql`s.status`, writtenStatuses(scope))}`,
    onRow: ({ text1 }) => {
      const value = JSON.stringify(JSON.parse(text1 ?? 'null') as JsonValue);
      if (taken.has(value)) return;
      taken.add(value);
      for (const unique of uniques) if (JSON.stringify(unique.value) === value) faults.add(unique.path, TAKEN);
    },
  });
};

/** Asks whether other documents have the unique values of components about to be written, in the same place, status and locale; takes them down as faults. */
export function askUniqueComponents(probe: Probe, scope: WriteScope, uniques: readonly ComponentUnique[], faults: FaultList): void {
  addRepeated(uniques, faults);
  const places = new Map<string, [ComponentUnique, ...ComponentUnique[]]>();
  for (const unique of uniques) {
    const known = places.get(placeOf(unique));
    if (known === undefined) places.set(placeOf(unique), [unique]);
    else known.push(unique);
  }
  for (const place of places.values()) askPlace(probe, scope, place, faults);
}
