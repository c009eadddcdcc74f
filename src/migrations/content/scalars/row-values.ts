import type { SessionRow } from '../../../database/dialect/migration-support.js';
import type { ColumnKind } from '../../../lib/stored-value.js';
import type { Attribute, ContentType } from '../../../model/model.js';
import { quoteName } from '../../migration-dialect.js';
import type { ContentPlanRequest } from '../content-plan.js';
import type { KeptScalar, ScalarChange } from './scalar-change.js';
import { convertedSql } from './scalar-sql.js';

type Values = ContentPlanRequest['dialect']['migrations']['values'];

/** A stored value as text: JSON text for `json`, otherwise its text form. */
export const readable = (values: Values, kind: ColumnKind, value: string): string =>
  kind === 'json' ? `CAST(${value} AS TEXT)` : values.textOf(kind, value);

const READ_AS_JSON: ReadonlySet<ColumnKind> = new Set(['json', 'integer', 'double', 'boolean']);

/** The value that stands in text read from the database, as the API shows it. */
export const parseReadable = (kind: ColumnKind, text: string): unknown =>
  READ_AS_JSON.has(kind) ? (JSON.parse(text) as unknown) : text;

/** The values that the condition of an attribute reads in the same version. */
export interface ConditionValues {
  /** Expressions that a query selects from the versions, as table `v`. */
  readonly columns: readonly string[];
  /** The values of a row after the migration, by their names. */
  readonly parse: (row: SessionRow) => Readonly<Record<string, unknown>>;
}

const columnAlias = (index: number): string => `beside${index}`;

/** Returns how the values that the condition of an attribute reads are read from the database. */
export function conditionValues(
  { dialect }: ContentPlanRequest,
  changes: readonly ScalarChange[],
  type: ContentType,
  { condition }: Attribute,
): ConditionValues {
  const read = changes.filter(
    (change): change is KeptScalar =>
      change.kind === 'kept' &&
      change.after === type &&
      condition?.reads.includes(change.attribute.name) === true,
  );
  const select = (change: KeptScalar): string =>
    change.from === null
      ? 'NULL'
      : readable(
          dialect.migrations.values,
          change.attribute.column.kind,
          convertedSql(change, `v.${quoteName(change.from.attribute.column.name)}`),
        );
  const parse = ({ attribute, fill }: KeptScalar, text: unknown): unknown =>
    typeof text === 'string' ? parseReadable(attribute.column.kind, text) : (fill?.value ?? null);
  return {
    columns: read.map((change, index) => `${select(change)} AS "${columnAlias(index)}"`),
    parse: (row) =>
      Object.fromEntries(
        read.map((change, index) => [change.attribute.name, parse(change, row[columnAlias(index)])]),
      ),
  };
}
