import type { ContentTypeDefinition } from './content-types/definition.js';
import { SEARCH_PREFIX } from '../database/dialect/search-expressions.js';
import type { ScalarTypeName } from './fields/field-type.js';
import { hashedName } from '../lib/short-name.js';
import type { Attribute, ScalarAttribute, SearchedValue, SearchIndex, TypeStorage } from './model.js';
import { findAttribute } from './resolution.js';
import type { Resolution } from './resolution.js';

/** Leaves room for what a database adds to the name. */
const MAX_NAME_BYTES = 50;

/** Types of short values. If a type is searched, its index includes these by default. */
const SHORT_TYPES: ReadonlySet<ScalarTypeName> = new Set([
  'email',
  'uid',
  'enumeration',
  'integer',
  'biginteger',
  'float',
  'decimal',
]);

const IDS: readonly SearchedValue[] = [
  { field: 'documentId', column: 'document_id', kind: 'text' },
  { field: 'id', column: 'id', kind: 'integer' },
];
const LOCALE: SearchedValue = { field: 'locale', column: 'locale', kind: 'text' };

const searchedValue = ({ name, column }: ScalarAttribute): SearchedValue => ({
  field: name,
  column: column.name,
  kind: column.kind,
});

const isImplied = ({ type, isSearched, searchable }: ScalarAttribute): boolean =>
  !isSearched && searchable !== false && SHORT_TYPES.has(type);

/** Reports the attributes that ask for an index of texts and have none. */
const checkTypes = (
  { problems }: Resolution,
  type: ContentTypeDefinition,
  attributes: readonly Attribute[],
): void => {
  for (const attribute of attributes) {
    const definition = findAttribute(type, attribute.name);
    if (definition?.options['search'] !== true) continue;
    if (attribute.family === 'scalar' && attribute.field.searchable === true) continue;
    problems.add(
      { schema: type, attribute: definition, option: 'search' },
      {
        code: 'invalid-option',
        message:
          `an attribute of the type ${attribute.type} has no text to search; ` +
          '"search" is for string, text, richtext, email and uid',
      },
    );
  }
};

/**
 * Returns the full-text index of a type, where an attribute asks for one. It also holds the short values that
 * the search of a list looks at, so that this search needs no other index. A single type has too few rows.
 */
export function searchIndexOf(
  resolution: Resolution,
  type: ContentTypeDefinition,
  attributes: Readonly<Record<string, Attribute>>,
  { version }: TypeStorage,
): SearchIndex | null {
  const all = Object.values(attributes);
  checkTypes(resolution, type, all);
  const scalars = all.flatMap((attribute) =>
    attribute.family === 'scalar' && !attribute.private ? [attribute] : [],
  );
  const declared = scalars.filter(({ isSearched, field }) => isSearched && field.searchable === true);
  if (type.kind === 'singleType' || declared.length === 0) return null;
  const short = [
    ...IDS,
    ...(type.localized ? [LOCALE] : []),
    ...scalars.filter(isImplied).map(searchedValue),
  ];
  const { table } = version;
  const texts = [...declared.map((attribute) => [searchedValue(attribute)]), short];
  // An index of other texts has another name, so that no release reads the index of another.
  const columns = texts.map((values) => values.map(({ column, kind }) => [column, kind]));
  const name = hashedName(`${SEARCH_PREFIX}${table}`, MAX_NAME_BYTES, JSON.stringify([table, columns]));
  return { name, table, texts };
}
