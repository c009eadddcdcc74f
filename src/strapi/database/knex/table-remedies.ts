import type { ContentModel, ContentType } from '../../../model/model.js';

const DOCUMENT_SERVICE = 'Read and write it through strapi.documents or strapi.db.query';

/** Describes the table or column of each link of a type. */
const linksOf = (model: ContentModel, { attributes, storage }: ContentType): readonly string[] =>
  Object.values(attributes).flatMap((attribute) => {
    if (attribute.family !== 'relation' && attribute.family !== 'media') return [];
    const { link, name } = attribute;
    if (link === null) return [];
    if (link.kind !== 'column') return [`${name} in the table ${link.table}`];
    const owner = model.typesByUid[link.owner];
    return [`${name} in ${owner?.storage.version.table ?? storage.version.table}.${link.column}`];
  });

const ownerOf = (model: ContentModel, table: string): ContentType | undefined =>
  model.types
    .filter(({ collectionName, storage }) =>
      [collectionName, storage.version.table].some((name) => table.startsWith(`${name}_`)),
    )
    .toSorted((left, right) => right.collectionName.length - left.collectionName.length)[0];

/** Says how to reach what Strapi keeps in a table that is not here. */
export function remedyForTable(model: ContentModel, table: string): string {
  const owner = ownerOf(model, table);
  if (table.endsWith('_cmps') || table.startsWith('components_'))
    return `Components are JSON columns of their owner. ${DOCUMENT_SERVICE}.`;
  if (table.endsWith('_mph'))
    return `Links to files are stored with the attribute that has them. ${DOCUMENT_SERVICE}.`;
  if (table.endsWith('_lnk') || table.endsWith('_links')) {
    const links = owner === undefined ? [] : linksOf(model, owner);
    const stored = links.length === 0 ? '' : ` Links of ${owner?.uid ?? ''}: ${links.join(', ')}.`;
    const kind = 'Links are columns or tables of their own names, and lead to documents.';
    return `${kind}${stored} ${DOCUMENT_SERVICE}.`;
  }
  if (table.startsWith('strapi_')) return 'Settings of Strapi have no table. Use strapi.store.';
  if (table.startsWith('admin_')) return 'There is no admin panel, so that its users have no table.';
  const tables = model.types.map(({ storage }) => storage.version.table);
  return `Tables of content: ${tables.join(', ')}. ${DOCUMENT_SERVICE}.`;
}
