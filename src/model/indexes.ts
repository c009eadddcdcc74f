import type { ContentTypeDefinition } from './content-types/definition.js';
import { findAttribute } from './resolution.js';
import type { Resolution } from './resolution.js';
import type { Attribute, IndexedColumn, VersionIndex } from './model.js';

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

/** The indexes of `indexes` in the schema file. Those of other columns are reported and left out. */
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

/** The attributes that are unique or ask for an index. Reports those that no index can hold. */
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
 * Returns what a type's version table is indexed by, besides its keys: the times, unique attributes, and
 * what its schema file declares. A single type has too few rows for that.
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
