import { SEARCH_PREFIX } from '../database/dialect/search-expressions.js';
import { hashedName } from '../lib/names.js';
import type { ContentTypeDefinition } from './content-types/definition.js';
import type { ScalarTypeName } from './fields/field-type.js';
import type {
  Attribute,
  IndexedColumn,
  ScalarAttribute,
  SearchIndex,
  SearchedValue,
  TypeStorage,
  VersionIndex,
} from './model.js';
import { findAttribute } from './resolution.js';
import type { Resolution } from './resolution.js';

const TIMES: readonly IndexedColumn[] = [
  { column: 'created_at', field: 'createdAt', isDescending: true },
  { column: 'updated_at', field: 'updatedAt', isDescending: true },
  { column: 'published_at', field: 'publishedAt', isDescending: true },
];

type Attributes = Readonly<Record<string, Attribute>>;

const indexedColumn = (attribute: Attribute | undefined): IndexedColumn | null =>
  attribute?.family === 'scalar' && attribute.field.indexable
    ? { column: attribute.column.name, field: attribute.column.field, isDescending: false }
    : null;

/** Columns as Strapi's `indexes` names them: by column, or by attribute. */
const findColumn = (attributes: Attributes, name: string): IndexedColumn | null => {
  const time = TIMES.find(({ column, field }) => column === name || field === name);
  const attribute = Object.values(attributes).find(
    (candidate) => candidate.name === name || ('column' in candidate && candidate.column.name === name),
  );
  return time ?? indexedColumn(attribute);
};

/** Returns the indexes that `indexes` of the schema file lists. Reports and omits those of other columns. */
const listedIndexes = (
  { problems }: Resolution,
  type: ContentTypeDefinition,
  attributes: Attributes,
): readonly VersionIndex[] =>
  type.indexes.flatMap(({ columns, line }) => {
    const found = columns.map((name) => findColumn(attributes, name));
    const index = found.filter((column) => column !== null);
    if (index.length === found.length) return [index];
    const unknown = columns.filter((_name, position) => found[position] === null);
    problems.add(
      { schema: type, line },
      {
        severity: 'warning',
        code: 'unknown-column',
        message: `"indexes" names ${unknown.join(', ')}, which cannot be indexed; this index is left out`,
      },
    );
    return [];
  });

/** Returns the attributes that are unique or require an index. Reports those that cannot be indexed. */
const declaredIndexes = (
  { problems }: Resolution,
  type: ContentTypeDefinition,
  attributes: Attributes,
): readonly VersionIndex[] =>
  Object.values(attributes).flatMap((attribute) => {
    const definition = findAttribute(type, attribute.name);
    const isDeclared = definition?.options['index'] === true;
    const isUnique = attribute.family === 'scalar' && attribute.constraints.unique;
    const column = isDeclared || isUnique ? indexedColumn(attribute) : null;
    if (column !== null) return [[column]];
    if (definition === undefined || !isDeclared) return [];
    problems.add(
      { schema: type, attribute: definition, option: 'index' },
      {
        code: 'invalid-option',
        message: `an attribute of the type ${attribute.type} cannot have an index`,
      },
    );
    return [];
  });

const nameOf = (index: VersionIndex): string => index.map(({ column }) => column).join();

/**
 * Returns the indexes of a type's version table besides its keys: of times, of unique attributes, and those
 * that its schema file declares. A single type has too few rows for that.
 */
export function indexesOf(
  resolution: Resolution,
  type: ContentTypeDefinition,
  attributes: Attributes,
): readonly VersionIndex[] {
  const declared = [
    ...declaredIndexes(resolution, type, attributes),
    ...listedIndexes(resolution, type, attributes),
  ];
  if (type.kind === 'singleType') return [];
  const byName = new Map(
    [...TIMES.map((time) => [time]), ...declared].map((index) => [nameOf(index), index]),
  );
  return [...byName.values()];
}

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
