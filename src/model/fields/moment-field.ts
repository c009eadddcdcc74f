import { readDatetime, readMoment } from './date-value.js';
import type { FieldType, ParseResult } from './field-type.js';
import { accept, reject } from './parse-result.js';

interface MomentFacets {
  readonly name: 'datetime' | 'timestamp';
  /** Reads what this type accepts besides dates and ISO 8601 text. Null: not such a value. */
  readonly readAlternativeForm?: (input: unknown) => Date | null;
  /** Completes the message `must be a date and time like …` for values that cannot be read. */
  readonly alternativeHint?: string;
  /** TypeScript of the value in a request. */
  readonly input: string;
  readonly printsMilliseconds?: true;
  readonly jsonSchema: FieldType['jsonSchema'];
}

/** Returns a field type whose values are moments in UTC, to the millisecond. */
export function defineMomentField({
  name,
  readAlternativeForm = () => null,
  alternativeHint = '',
  input,
  ...facets
}: MomentFacets): FieldType {
  const toMoment = (value: unknown): Date | null => {
    if (value instanceof Date) return readMoment(value);
    return readAlternativeForm(value) ?? (typeof value === 'string' ? readDatetime(value) : null);
  };
  const parse = (value: unknown): ParseResult<Date> => {
    const moment = toMoment(value);
    return moment === null
      ? reject(`must be a date and time like 2026-02-28T13:45:00.000Z${alternativeHint}`)
      : accept(moment);
  };
  return {
    name,
    column: 'datetime',
    options: [],
    parse,
    parseFilter: parse,
    filterable: true,
    sortable: true,
    indexable: true,
    ...facets,
    typescript: () => ({ output: 'string', input }),
    graphql: { output: 'DateTime', input: 'DateTime', filter: 'DateTimeFilterInput' },
  };
}
