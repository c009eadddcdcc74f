import type { ForeignDatabase, ForeignRow } from '../../database/dialect/foreign-database.js';
import { quoteName } from '../../database/dialect/sql-text.js';
import { getOrCreate } from '../../lib/memoize.js';
import type { ColumnLink, ContentType, MorphLink, TableLink } from '../../model/model.js';
import { readNumber, readText } from '../strapi/live/values.js';
import type { DocumentLink, EntityRecord } from '../source.js';
import { readVersionRows, toRecord } from './read-versions.js';

/** An attribute whose links belong to the type. */
interface OwnedLink {
  readonly attribute: string;
  readonly link: ColumnLink | TableLink | MorphLink;
}

/** The links of a page of rows, by row and attribute. */
type LinksByRow = ReadonlyMap<number, Record<string, DocumentLink[]>>;

const ownedLinks = (type: ContentType): readonly OwnedLink[] =>
  Object.values(type.attributes).flatMap((attribute) => {
    if (attribute.family !== 'relation' && attribute.family !== 'media') return [];
    const { link, name } = attribute;
    return link === null || attribute.side !== 'owner' ? [] : [{ attribute: name, link }];
  });

const inversePosition = (text: string | null): Pick<DocumentLink, 'inversePosition'> =>
  text === null ? {} : { inversePosition: Number(text) };

const columnLink = (link: ColumnLink, row: ForeignRow): DocumentLink | null => {
  const documentId = readText(row[link.column]);
  if (documentId === null) return null;
  const inverse = link.position === null ? null : readText(row[link.position.column]);
  return { type: link.target, documentId, position: 1, ...inversePosition(inverse) };
};

const columnsOf = (link: TableLink | MorphLink): readonly string[] =>
  link.kind === 'morph'
    ? link.targets.map(({ column }) => column)
    : [
        'target_document_id',
        ...(link.hasInversePosition ? ['inverse_position'] : []),
        ...(link.hasTargetStatus ? ['target_status'] : []),
        ...(link.hasTargetLocale ? ['target_locale'] : []),
      ];

const morphTarget = (link: MorphLink, row: ForeignRow): Pick<DocumentLink, 'type' | 'documentId'> | null => {
  for (const { uid, column } of link.targets) {
    const documentId = readText(row[column]);
    if (documentId !== null) return { type: uid, documentId };
  }
  return null;
};

const tableLink = (link: TableLink | MorphLink, row: ForeignRow): DocumentLink | null => {
  const position = readNumber(row['position']);
  if (link.kind === 'morph') {
    const target = morphTarget(link, row);
    return target === null ? null : { ...target, position };
  }
  const documentId = readText(row['target_document_id']) ?? '';
  const locale = readText(row['target_locale']);
  return {
    type: link.target,
    documentId,
    ...(link.hasTargetStatus ? { status: row['target_status'] === 'draft' ? 'draft' : 'published' } : {}),
    ...(locale === null ? {} : { locale }),
    position,
    ...inversePosition(readText(row['inverse_position'])),
  };
};

/** Reads the links of rows whose ids lie between two, with one statement for each attribute. */
const readLinks = async (
  database: ForeignDatabase,
  links: readonly OwnedLink[],
  { first, last }: { readonly first: number; readonly last: number },
): Promise<LinksByRow> => {
  const found = new Map<number, Record<string, DocumentLink[]>>();
  for (const { attribute, link } of links) {
    if (link.kind === 'column') continue;
    const names = ['source_id', 'position', ...columnsOf(link)].map(quoteName).join(', ');
    const rows = await database.rows(
      `select ${names} from ${quoteName(link.table)} where "source_id" between ${first} and ${last} ` +
        'order by "source_id", "position", "id"',
    );
    for (const row of rows) {
      const target = tableLink(link, row);
      if (target === null) continue;
      const ofRow = getOrCreate(
        found,
        readNumber(row['source_id']),
        (): Record<string, DocumentLink[]> => ({}),
      );
      (ofRow[attribute] ??= []).push(target);
    }
  }
  return found;
};

/**
 * Reads the versions of a type as they are stored: with links to documents, and components with the ids that
 * they have.
 */
export async function* readDocuments(
  database: ForeignDatabase,
  type: ContentType,
): AsyncGenerator<EntityRecord> {
  const owned = ownedLinks(type);
  for await (const rows of readVersionRows(database, type)) {
    const [first, last] = [readNumber(rows[0]?.['id']), readNumber(rows.at(-1)?.['id'])];
    const tables = await readLinks(database, owned, { first, last });
    for (const row of rows) {
      const links: Record<string, readonly DocumentLink[]> = { ...tables.get(readNumber(row['id'])) };
      for (const { attribute, link } of owned) {
        const found = link.kind === 'column' ? columnLink(link, row) : null;
        if (found !== null) links[attribute] = [found];
      }
      yield { ...toRecord(type, row, (_attribute, value) => value), links };
    }
  }
}
