import { quoteName, quoteText, quoteTexts } from '../../database/dialect/sql-text.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { typeOf } from '../../model/lookup.js';
import type {
  ContentModel,
  ContentSchema,
  ContentType,
  Link,
  LinkAttribute,
  MorphLink,
} from '../../model/model.js';
import { describeSchemas } from '../schema-files.js';
import type { ContentSource, EntityRecord, LinkEnd, LinkRecord } from '../source.js';
import { readNumber, readText } from '../strapi/rows.js';
import { openLocalDatabase, readAssets, readConfiguration, readLocales } from './local-database.js';
import type { LocalDatabase, LocalProject } from './local-database.js';
import { ComponentIds, findLargestComponentIds, readVersions } from './read-versions.js';
import type { ComponentLink, ExportedVersion } from './read-versions.js';

const PAGE_SIZE = 1000;

/** Returns the link between two rows. Links of media begin at the file. */
const linkOf = (
  schema: ContentSchema,
  attribute: LinkAttribute,
  target: string,
  { source, to, pos, inversePos }: Edge,
): LinkRecord => {
  const owner = { type: schema.uid, field: attribute.name, ref: source };
  if (attribute.family === 'media')
    return {
      kind: 'relation.morph',
      relation: 'morphToMany',
      left: { type: FILE_UID, field: 'related', ref: to },
      right: { ...owner, pos: pos ?? 1 },
    };
  const isMorph = attribute.target === null;
  const ownerEnd: LinkEnd = { ...owner, ...(isMorph || !attribute.many || pos === null ? {} : { pos }) };
  const inverse = attribute.counterpart === null ? {} : { field: attribute.counterpart };
  const right: LinkEnd = { type: target, ref: to, ...inverse };
  if (isMorph)
    return {
      kind: 'relation.morph',
      relation: attribute.relation,
      left: ownerEnd,
      right: attribute.many && pos !== null ? { ...right, pos } : right,
    };
  return {
    kind: target === schema.uid ? 'relation.circular' : 'relation.basic',
    relation: attribute.relation,
    left: ownerEnd,
    right: inversePos === null ? right : { ...right, pos: inversePos },
  };
};

/** A database with the component ids that its exports in Strapi's form use. */
interface NumberedDatabase extends LocalDatabase {
  /** The largest ids of components that are kept, by component uid. */
  readonly largestComponentIds: ReadonlyMap<string, number>;
}

interface Edge {
  readonly source: number;
  readonly to: number;
  readonly pos: number | null;
  readonly inversePos: number | null;
}

/** Returns the SQL condition for the linked row: the same status and locale, where both types have them. */
const versionCondition = (
  owner: ContentType,
  target: ContentType,
  stored: { readonly status: boolean; readonly locale: boolean },
): string => {
  const ofOwner = owner.draftAndPublish ? 's."status"' : quoteText('published');
  const status = target.draftAndPublish ? ofOwner : quoteText('published');
  const locale = target.localized ? 's."locale"' : quoteText('');
  return (
    `t."status" = ${stored.status ? 'l."target_status"' : status} and ` +
    `t."locale" = ${stored.locale ? 'l."target_locale"' : locale}`
  );
};

/** Source of a query for links. Alias `l` is the link's row, which for columns is the owner's. */
interface LinkQuery {
  readonly table: string;
  readonly source: string;
  readonly documentId: string;
  readonly pos: string;
  readonly inversePos: string;
  readonly stored: { readonly status: boolean; readonly locale: boolean };
}

const IN_COLUMN = { status: false, locale: false };

const queryOf = (owner: ContentType, link: Exclude<Link, MorphLink>): LinkQuery => {
  if (link.kind === 'column') {
    const inversePos = link.position === null ? 'null' : `l.${quoteName(link.position.column)}`;
    const { table } = owner.storage.version;
    return { table, source: 'id', documentId: link.column, pos: 'null', inversePos, stored: IN_COLUMN };
  }
  return {
    table: link.table,
    source: 'source_id',
    documentId: 'target_document_id',
    pos: 'l."position"',
    inversePos: link.hasInversePosition ? 'l."inverse_position"' : 'null',
    stored: { status: link.hasTargetStatus, locale: link.hasTargetLocale },
  };
};

const queriesOf = (
  owner: ContentType,
  attribute: LinkAttribute,
): readonly { readonly target: string; readonly query: LinkQuery }[] => {
  const { link } = attribute;
  if (link === null || attribute.side !== 'owner') return [];
  if (link.kind !== 'morph') return [{ target: link.target, query: queryOf(owner, link) }];
  const base = { table: link.table, source: 'source_id', pos: 'l."position"', inversePos: 'null' };
  return link.targets.map(({ uid, column }) => ({
    target: uid,
    query: { ...base, documentId: column, stored: IN_COLUMN },
  }));
};

async function* readEdges(
  { database }: LocalDatabase,
  owner: ContentType,
  target: ContentType,
  { table, source, documentId, pos, inversePos, stored }: LinkQuery,
): AsyncGenerator<Edge> {
  const select =
    `select l."id" as "link", s."id" as "source", t."id" as "target", ${pos} as "pos", ` +
    `${inversePos} as "inverse"`;
  // A subquery, since a database may otherwise sort all links for each page.
  const pageAfter = (id: number): string =>
    `(select * from ${quoteName(table)} where "id" > ${id} and ${quoteName(documentId)} is not null ` +
    `order by "id" limit ${PAGE_SIZE})`;
  const joins =
    `left join ${quoteName(owner.storage.version.table)} s on s."id" = l.${quoteName(source)} ` +
    `left join ${quoteName(target.storage.version.table)} t ` +
    `on t."document_id" = l.${quoteName(documentId)} and ${versionCondition(owner, target, stored)}`;
  const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));
  for (let last = 0; ;) {
    const rows = await database.rows(`${select} from ${pageAfter(last)} l ${joins} order by l."id"`);
    for (const row of rows) {
      if (readText(row['source']) === null || readText(row['target']) === null) continue;
      yield {
        source: readNumber(row['source']),
        to: readNumber(row['target']),
        pos: numberOf(readText(row['pos'])),
        inversePos: numberOf(readText(row['inverse'])),
      };
    }
    if (rows.length < PAGE_SIZE) return;
    last = readNumber(rows.at(-1)?.['link']);
  }
}

/** Returns the ids of the rows that components link, by document id, status and locale. */
const findRows = async (
  { database }: LocalDatabase,
  type: ContentType,
  links: readonly ComponentLink[],
): Promise<ReadonlyMap<string, number>> => {
  const ids = [...new Set(links.map(({ documentId }) => documentId))];
  const rows = await database.rows(
    `select "id", "document_id", "status", "locale" from ${quoteName(type.storage.version.table)} ` +
      `where "document_id" in (${quoteTexts(ids)})`,
  );
  const key = (row: (typeof rows)[number]): string =>
    ['document_id', 'status', 'locale'].map((column) => readText(row[column])).join(' ');
  return new Map(rows.map((row) => [key(row), readNumber(row['id'])]));
};

const componentLink = (
  model: ContentModel,
  link: ComponentLink,
  to: number | undefined,
): readonly LinkRecord[] => {
  const schema = model.componentsByUid[link.component];
  const attribute = schema?.attributes[link.attribute];
  if (schema === undefined || to === undefined) return [];
  if (attribute?.family !== 'relation' && attribute?.family !== 'media') return [];
  const edge = { source: link.id, to, pos: link.pos, inversePos: null };
  return [linkOf(schema, attribute, link.target, edge)];
};

async function* readComponentLinks(
  local: LocalDatabase,
  versions: readonly ExportedVersion[],
): AsyncGenerator<LinkRecord> {
  const targets = new Set(versions.flatMap(({ links }) => links.map(({ target }) => target)));
  for (const uid of targets) {
    const type = typeOf(local.model, uid);
    const all = versions.flatMap(({ links }) => links.filter(({ target }) => target === uid));
    const rows = await findRows(local, type, all);
    for (const { status, locale, links } of versions) {
      const version = `${type.draftAndPublish ? status : 'published'} ${type.localized ? locale : ''}`;
      for (const link of links)
        if (link.target === uid)
          yield* componentLink(local.model, link, rows.get(`${link.documentId} ${version}`));
    }
  }
}

/** Reads all links between rows: those of types, and those of components. */
async function* readAllLinks(local: NumberedDatabase): AsyncGenerator<LinkRecord> {
  for (const type of local.model.types) {
    for (const attribute of Object.values(type.attributes)) {
      if (attribute.family !== 'relation' && attribute.family !== 'media') continue;
      for (const { target, query } of queriesOf(type, attribute))
        for await (const edge of readEdges(local, type, typeOf(local.model, target), query))
          yield linkOf(type, attribute, target, edge);
    }
  }
  const ids = new ComponentIds(local.largestComponentIds);
  yield* local.folders.links();
  for await (const versions of readVersions(local, ids)) {
    yield* readComponentLinks(local, versions);
    for (const { record } of versions) if (record.type === FILE_UID) yield* local.folders.linksOf(record);
  }
}

/** The release of Strapi whose export format is written. */
const STRAPI_VERSION = '5.44.0';

const withFolder = ({ folders }: NumberedDatabase, record: EntityRecord): EntityRecord => {
  const folderPath = folders.pathOf(record.data['documentId']);
  return { ...record, data: { ...record.data, folderPath } };
};

async function* readEntities(local: NumberedDatabase): AsyncGenerator<EntityRecord> {
  yield* readLocales(local);
  yield* local.folders.entities();
  const ids = new ComponentIds(local.largestComponentIds);
  for await (const versions of readVersions(local, ids))
    for (const { record } of versions) yield record.type === FILE_UID ? withFolder(local, record) : record;
}

/** Opens a snapshot of a project's content in the form of a Strapi export. */
export async function openStrapiForm(project: LocalProject): Promise<ContentSource> {
  const opened = await openLocalDatabase(project);
  const local: NumberedDatabase = { ...opened, largestComponentIds: await findLargestComponentIds(opened) };
  return {
    description: local.database.description,
    product: 'Strapi',
    version: STRAPI_VERSION,
    fingerprint: '',
    schemas: () => describeSchemas(project.model, project.root),
    entities: () => readEntities(local),
    links: () => readAllLinks(local),
    editorial: async function* () {},
    configuration: () => readConfiguration(local),
    assets: () => readAssets(local, project.uploads),
    // Strapi exports contain no API tokens.
    apiTokens: async function* () {},
    close: local.close,
  };
}
