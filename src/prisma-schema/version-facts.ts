import type { ContentModel, ContentType, Link } from '../model/model.js';
import { ownsLink } from './schema-context.js';

/** How a type keeps one of its links; column and table names are those of the database. */
export interface LinkFacts {
  /** The link table; null: a column of the version table. */
  readonly table: string | null;
  /** Where the link points: of a link table its columns, or the version table's own. One per target. */
  readonly columns: readonly string[];
  /** The version tables of the targets, in the order of `columns`. */
  readonly targets: readonly string[];
  /** The column of the place in the inverse side's list; null: it has no order. */
  readonly inverse: string | null;
}

/** What a version table's rows stand for, which its columns do not tell. */
export interface VersionFacts {
  readonly drafts: boolean;
  readonly locales: boolean;
  /** Columns that hold the same in all locales of a document. */
  readonly shared: readonly string[];
  /** By attribute. */
  readonly links: Readonly<Record<string, LinkFacts>>;
}

const versionTable = ({ typesByUid }: ContentModel, uid: string): string => typesByUid[uid]?.storage.version.table ?? '';

const linkFacts = (model: ContentModel, link: Link): LinkFacts => {
  switch (link.kind) {
    case 'column': return { table: null, columns: [link.column], targets: [versionTable(model, link.target)], inverse: link.position?.column ?? null };
    case 'table': return { table: link.table, columns: ['target_document_id'], targets: [versionTable(model, link.target)], inverse: link.hasInversePosition ? 'inverse_position' : null };
    case 'morph': return { table: link.table, columns: link.targets.map(({ column }) => column), targets: link.targets.map(({ uid }) => versionTable(model, uid)), inverse: null };
    default: return link satisfies never;
  }
};

const sharedColumns = (type: ContentType): readonly string[] => !type.localized ? [] : Object.values(type.attributes).flatMap((attribute) => {
  if (attribute.localized) return [];
  if ('column' in attribute) return [attribute.column.name];
  return attribute.family === 'media' && attribute.link?.kind === 'column' ? [attribute.link.column] : [];
});

const MARK = '// Versions: ';

/** One line for a version model of the schema, so that a later migration knows what the rows it finds stand for. */
export function printVersionFacts(model: ContentModel, type: ContentType): string {
  const links = Object.values(type.attributes).flatMap((attribute) => ('link' in attribute && attribute.link !== null && ownsLink(type, attribute) ? [[attribute.name, linkFacts(model, attribute.link)] as const] : []));
  const facts: VersionFacts = { drafts: type.draftAndPublish, locales: type.localized, shared: sharedColumns(type), links: Object.fromEntries(links) };
  return MARK + JSON.stringify(facts);
}

/** Reads such a line; null where it is another one. */
export function parseVersionFacts(line: string): VersionFacts | null {
  const text = line.trim();
  return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as VersionFacts) : null;
}
