import { createError } from '../../../errors/catalogue.js';
import type { StoredScalar } from '../../../lib/stored-value.js';
import { textForm } from '../../../lib/text-form.js';
import type { ScalarAttribute } from '../../../model/model.js';
import { isUnique } from '../../../documents/validation/parse-scalar.js';
import { quoteText } from '../../migration-dialect.js';
import type { MigrationDialect } from '../../migration-dialect.js';
import type { ContentDecisions } from '../content-decisions.js';

/** The value for versions that have none. */
export interface Fill {
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
 * Returns the value that the user gives to versions without one. Null: none.
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
