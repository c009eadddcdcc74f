import type { DatabaseObject } from '../../database/dialect/database-object.js';
import type { SearchedTable } from '../../database/dialect/search-expressions.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import type { MigrationDialect } from '../migration-dialect.js';

/**
 * The tables whose rows are read for documents of the type. A link is read together with the type that owns
 * it, from whichever side.
 */
const tablesOf = ({ storage, attributes }: ContentType): readonly string[] => {
  const links = Object.values(attributes).flatMap((attribute) =>
    (attribute.family === 'relation' || attribute.family === 'media') &&
    attribute.side === 'owner' &&
    attribute.link !== null &&
    attribute.link.kind !== 'column'
      ? [attribute.link.table]
      : [],
  );
  return [storage.version.table, ...new Set(links)];
};

/** Returns the tables of a model that have a full-text index. */
export function searchedTables({ types }: Pick<ContentModel, 'types'>): readonly SearchedTable[] {
  return types.flatMap(({ search }) => (search === null ? [] : [search]));
}

/** Returns the objects that notice changes of content-types. */
export function revisionObjectsOf(
  { types }: ContentModel,
  { revisions }: Pick<MigrationDialect, 'revisions'>,
): readonly DatabaseObject[] {
  return revisions.objectsFor(types.map((type) => ({ name: type.uid, tables: tablesOf(type) })));
}

/** Returns what the database of a model holds beside the schema. */
export function databaseObjectsOf(
  model: ContentModel,
  dialect: Pick<MigrationDialect, 'revisions' | 'migrations'>,
): readonly DatabaseObject[] {
  return [
    ...revisionObjectsOf(model, dialect),
    ...dialect.migrations.search.objectsFor(searchedTables(model)),
    ...dialect.migrations.statistics,
  ];
}
