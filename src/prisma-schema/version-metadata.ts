import { defined } from '../lib/defined.js';
import type { ContentModel, ContentType, Link } from '../model/model.js';
import { ownsLink } from './schema-context.js';

/** How a type stores one of its links. Names of columns and tables are those of the database. */
export interface LinkMetadata {
  /** The link table. Null where the link is a column of the version table. */
  readonly table: string | null;
  /** The columns with the targets, of the link table or the version table. One per target type. */
  readonly columns: readonly string[];
  /** The version tables of the targets, in the order of `columns`. */
  readonly targets: readonly string[];
  /** The column with the position in the inverse side's list. Null where that has no order. */
  readonly inverse: string | null;
}

/** The versioning of a table, which its columns do not show. */
export interface VersionMetadata {
  readonly drafts: boolean;
  readonly locales: boolean;
  /** Columns whose value is shared by all locales of a document. */
  readonly shared: readonly string[];
  /** The links, by attribute. */
  readonly links: Readonly<Record<string, LinkMetadata>>;
}

const versionTable = ({ typesByUid }: ContentModel, uid: string): string =>
  defined(typesByUid[uid], `The type ${uid}`).storage.version.table;

const linkMetadata = (model: ContentModel, link: Link): LinkMetadata => {
  switch (link.kind) {
    case 'column':
      return {
        table: null,
        columns: [link.column],
        targets: [versionTable(model, link.target)],
        inverse: link.position?.column ?? null,
      };
    case 'table':
      return {
        table: link.table,
        columns: ['target_document_id'],
        targets: [versionTable(model, link.target)],
        inverse: link.hasInversePosition ? 'inverse_position' : null,
      };
    case 'morph':
      return {
        table: link.table,
        columns: link.targets.map(({ column }) => column),
        targets: link.targets.map(({ uid }) => versionTable(model, uid)),
        inverse: null,
      };
    default:
      return link satisfies never;
  }
};

const sharedColumns = (type: ContentType): readonly string[] =>
  !type.localized
    ? []
    : Object.values(type.attributes).flatMap((attribute) => {
        if (attribute.localized) return [];
        if ('column' in attribute) return [attribute.column.name];
        return attribute.family === 'media' && attribute.link?.kind === 'column'
          ? [attribute.link.column]
          : [];
      });

const METADATA_PREFIX = '// Versions: ';

/** Prints the metadata comment of a version model. A later migration reads the former versioning from it. */
export function printVersionMetadata(model: ContentModel, type: ContentType): string {
  const links = Object.values(type.attributes).flatMap((attribute) =>
    'link' in attribute && attribute.link !== null && ownsLink(type, attribute)
      ? [[attribute.name, linkMetadata(model, attribute.link)] as const]
      : [],
  );
  const metadata: VersionMetadata = {
    drafts: type.draftAndPublish,
    locales: type.localized,
    shared: sharedColumns(type),
    links: Object.fromEntries(links),
  };
  return METADATA_PREFIX + JSON.stringify(metadata);
}

/** Parses a metadata comment. Returns null for other lines. */
export function parseVersionMetadata(line: string): VersionMetadata | null {
  const text = line.trim();
  return text.startsWith(METADATA_PREFIX)
    ? (JSON.parse(text.slice(METADATA_PREFIX.length)) as VersionMetadata)
    : null;
}
