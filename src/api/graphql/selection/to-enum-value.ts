import type { ScalarAttribute } from '../../../model/model.js';
import { enumValuesByName } from '../names.js';

/**
 * Converts enumeration values from where the schema has no enum type (filters, dynamic zones). Accepts stored
 * values and GraphQL names. Everything else is returned as it is.
 */
export function toEnumValue(
  { constraints: { enum: values = [] } }: ScalarAttribute,
  input: unknown,
): unknown {
  if (Array.isArray(input))
    return input.map((item) => (typeof item === 'string' ? toStoredValue(values, item) : item));
  return typeof input === 'string' ? toStoredValue(values, input) : input;
}

const toStoredValue = (values: readonly string[], input: string): string =>
  values.includes(input) ? input : (enumValuesByName(values).get(input) ?? input);
