import { isStorableText } from '../../model/fields/text-value.js';
import type { ScalarTypeName } from '../../model/fields/field-type.js';
import type { Attribute, ContentType } from '../../model/model.js';
import { joinNodes } from '../filter-nodes.js';
import { parseComparison } from './parse-comparison.js';
import type { FilterNode, SearchTerm } from '../query.js';
import type { ReadContext } from '../read-context.js';
import { invalidParameter } from '../read-context.js';
import { comparableField } from '../schema-fields.js';

const PARAMETER = '_q';

const TEXT_TYPES: readonly ScalarTypeName[] = ['string', 'text', 'richtext', 'email', 'uid', 'enumeration'];
const NUMBER_TYPES: readonly ScalarTypeName[] = ['integer', 'biginteger', 'float', 'decimal'];

const isSearched = (attribute: Attribute, types: readonly ScalarTypeName[]): boolean =>
  attribute.family === 'scalar' && attribute.searchable !== false && types.includes(attribute.type);

/** Numbers are searched for what looks like a number, as in Strapi. */
const searchedNames = (type: ContentType, text: string): readonly string[] => {
  const types = Number.isNaN(Number(text)) ? TEXT_TYPES : [...TEXT_TYPES, ...NUMBER_TYPES];
  const names = Object.values(type.attributes)
    .filter((attribute) => isSearched(attribute, types))
    .map((attribute) => attribute.name);
  return [...new Set(['id', 'documentId', 'locale', ...names])];
};

/**
 * Parses `_q`: text that any text of a record, its ids or its locale contain, in upper or lower case. Only
 * what the caller may see of the type is searched. Null: no restriction.
 *
 * @throws `request/invalid-parameter`
 */
export function parseSearch(context: ReadContext, type: ContentType, raw: unknown): SearchTerm | null {
  if (raw === undefined || raw === null || raw === '') return null;
  if (typeof raw !== 'string' || !isStorableText(raw)) throw invalidParameter(PARAMETER, 'it must be text.');
  context.countEntry();
  return {
    text: raw,
    fields: searchedNames(type, raw).filter((name) => comparableField(type, name) !== null),
  };
}

/** Returns the condition that a search is. */
export function searchFilter(type: ContentType, { text, fields }: SearchTerm): FilterNode | null {
  const comparisons = fields.flatMap((name) => {
    const field = comparableField(type, name);
    if (field === null) return [];
    return parseComparison({ field, operator: '$containsi', value: text, path: PARAMETER }) ?? [];
  });
  return joinNodes('or', comparisons);
}
