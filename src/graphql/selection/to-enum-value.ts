import type { ScalarAttribute } from '../../model/model.js';
import { enumValuesByName } from '../names.js';

/** A value of an enumeration that is not typed as one: as it is stored, or by the GraphQL name it is shown by. Whatever else is given stays as it is. */
export function toEnumValue({ constraints: { enum: values = [] } }: ScalarAttribute, given: unknown): unknown {
  if (Array.isArray(given)) return given.map((item) => (typeof item === 'string' ? named(values, item) : item));
  return typeof given === 'string' ? named(values, given) : given;
}

const named = (values: readonly string[], given: string): string => (values.includes(given) ? given : enumValuesByName(values).get(given) ?? given);
