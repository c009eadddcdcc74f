import type { DatabaseObject } from '../../dialects/database-object.js';
import type { SearchedTable } from '../../dialects/search-expressions.js';
import type { RevisedTables } from '../../dialects/revisions.js';
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

/** Returns what the database of a model holds beside the schema. */
export function databaseObjectsOf(
  { types }: ContentModel,
  { revisions, migrations }: Pick<MigrationDialect, 'revisions' | 'migrations'>,
): readonly DatabaseObject[] {
  const revised = types.map((type): RevisedTables => ({ name: type.uid, tables: tablesOf(type) }));
  return [...revisions.objectsFor(revised), ...migrations.search.objectsFor(searchedTables({ types }))];
}
