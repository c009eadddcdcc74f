/**
 * The folder export presents the local database as a content source: here in Galley's form, in
 * open-strapi-form.ts as an export of Strapi.
 */
import type { ExternalDatabase, ExternalRow } from '../../database/dialect/database-driver.js';
import { quoteName } from '../../database/dialect/sql-text.js';
import { SCHEDULED_ACTIONS } from '../../documents/schedules/schedule-store.js';
import { defined } from '../../lib/assert.js';
import { isRecord } from '../../lib/records.js';
import { getOrCreate } from '../../lib/collections.js';
import type { JsonValue } from '../../lib/stored-value.js';
import { FILE_UID, USER_UID } from '../../model/content-types/builtin-types.js';
import { typeOf } from '../../model/lookup.js';
import type { ColumnLink, ContentType, MorphLink, TableLink } from '../../model/model.js';
import { describeSchemaFiles } from '../schema-files.js';
import { includesType } from '../source.js';
import type {
  ConfigurationRecord,
  ContentSelection,
  ContentSource,
  DocumentLink,
  EditorialRecord,
  EntityRecord,
  LinkRecord,
} from '../source.js';
import { readNumber, readRows, readText } from '../strapi/rows.js';
import {
  openLocalDatabase,
  readAssets,
  readConfiguration,
  readLocales,
  readLocalTokens,
} from './local-database.js';
import type { LocalDatabase, LocalProject } from './local-database.js';
import { readVersionRows, toRecord } from './read-versions.js';

/** Matches names of values that are credentials. */
const SECRET =
  /secret|password|passphrase|token|credential|authorization|cookie|signature|(?:api|private)[-_]?key/i;

/** Matches {@link SECRET}, but is the address of a page. */
const PUBLIC_NAME = 'email_reset_password';

/** One-time codes that were sent to a user by mail. */
const CODES = { resetPasswordToken: null, confirmationToken: null };

const isObject = (value: unknown): value is Readonly<Record<string, JsonValue>> => isRecord(value);

const isSecret = (name: string, value: JsonValue): boolean =>
  name !== PUBLIC_NAME && SECRET.test(name) && typeof value === 'string' && value !== '';

/** Returns a value without members that hold secrets, judged by their names, at any depth. */
const withoutSecretMembers = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutSecretMembers(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isSecret(name, member))
      .map(([name, member]) => [name, withoutSecretMembers(member)]),
  );
};

/** Returns a record without one-time codes. Users keep the hashes of their passwords. */
export function withoutCodes(record: EntityRecord): EntityRecord {
  return record.type === USER_UID ? { ...record, data: { ...record.data, ...CODES } } : record;
}

/** Returns a setting without secrets, or a webhook without credentials in headers. */
export function withoutSecrets(record: ConfigurationRecord): ConfigurationRecord {
  if (record.type === 'core-store')
    return { ...record, value: { ...record.value, value: withoutSecretMembers(record.value.value) } };
  const headers = Object.entries(record.value.headers).filter(([name]) => !SECRET.test(name));
  return { ...record, value: { ...record.value, headers: Object.fromEntries(headers) } };
}

const SCHEDULES = {
  table: 'cms_schedules',
  columns: ['type', 'document_id', 'locale', 'action', 'at', 'error'],
};

const VERSIONS = {
  table: 'cms_versions',
  columns: ['type', 'document_id', 'locale', 'number', 'published_at', 'content'],
};

const documentLocaleOf = (row: ExternalRow) => ({
  type: readText(row['type']) ?? '',
  documentId: readText(row['document_id']) ?? '',
  locale: readText(row['locale']) ?? '',
});

const actionOf = (row: ExternalRow) =>
  defined(
    SCHEDULED_ACTIONS.find((action) => action === row['action']),
    'the scheduled action',
  );

const toSchedule = (row: ExternalRow): EditorialRecord => ({
  kind: 'schedule',
  ...documentLocaleOf(row),
  action: actionOf(row),
  at: readNumber(row['at']),
  error: readText(row['error']),
});

const toVersion = (row: ExternalRow): EditorialRecord => ({
  kind: 'version',
  ...documentLocaleOf(row),
  number: readNumber(row['number']),
  publishedAt: readNumber(row['published_at']),
  content: readText(row['content']) ?? '{}',
});

const RELEASES = { table: 'cms_releases', columns: ['id', 'name', 'at', 'published_at'] };

const RELEASE_ITEMS = {
  table: 'cms_release_items',
  columns: ['release_id', 'type', 'document_id', 'locale', 'action'],
};

/** Reads the changes of releases that are not published. */
async function* readReleases(database: Parameters<typeof readRows>[0]): AsyncGenerator<EditorialRecord> {
  const releases = new Map<number, { readonly name: string; readonly at: number | null }>();
  for await (const row of readRows(database, RELEASES)) {
    const at = row['at'] === null ? null : readNumber(row['at']);
    if (row['published_at'] === null)
      releases.set(readNumber(row['id']), { name: readText(row['name']) ?? '', at });
  }
  for await (const row of readRows(database, RELEASE_ITEMS)) {
    const release = releases.get(readNumber(row['release_id']));
    if (release !== undefined)
      yield { kind: 'release', ...documentLocaleOf(row), ...release, action: actionOf(row) };
  }
}

/** Reads the changes in releases, the schedules and the stored published versions. */
async function* readEditorial(
  { database, model }: LocalDatabase,
  isSelected: (type: ContentType) => boolean,
): AsyncGenerator<EditorialRecord> {
  const isExported = ({ type }: EditorialRecord): boolean =>
    Object.hasOwn(model.typesByUid, type) && isSelected(typeOf(model, type));
  for await (const record of readReleases(database)) if (isExported(record)) yield record;
  for (const [query, toEditorialRecord] of [
    [SCHEDULES, toSchedule],
    [VERSIONS, toVersion],
  ] as const)
    for await (const row of readRows(database, query)) {
      const record = toEditorialRecord(row);
      if (isExported(record)) yield record;
    }
}

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

const columnLink = (link: ColumnLink, row: ExternalRow): DocumentLink | null => {
  const documentId = readText(row[link.column]);
  if (documentId === null) return null;
  const inverse = link.position === null ? null : readText(row[link.position.column]);
  return { type: link.target, documentId, position: 1, ...inversePosition(inverse) };
};

const targetColumnsOf = (link: TableLink | MorphLink): readonly string[] =>
  link.kind === 'morph'
    ? link.targets.map(({ column }) => column)
    : [
        'target_document_id',
        ...(link.hasInversePosition ? ['inverse_position'] : []),
        ...(link.hasTargetStatus ? ['target_status'] : []),
        ...(link.hasTargetLocale ? ['target_locale'] : []),
      ];

const morphTarget = (link: MorphLink, row: ExternalRow): Pick<DocumentLink, 'type' | 'documentId'> | null => {
  for (const { uid, column } of link.targets) {
    const documentId = readText(row[column]);
    if (documentId !== null) return { type: uid, documentId };
  }
  return null;
};

const tableLink = (link: TableLink | MorphLink, row: ExternalRow): DocumentLink | null => {
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

/** Reads the links of the rows with ids from `first` to `last`, with one statement for each attribute. */
const readLinks = async (
  database: ExternalDatabase,
  links: readonly OwnedLink[],
  { first, last }: { readonly first: number; readonly last: number },
): Promise<LinksByRow> => {
  const found = new Map<number, Record<string, DocumentLink[]>>();
  for (const { attribute, link } of links) {
    if (link.kind === 'column') continue;
    const names = ['source_id', 'position', ...targetColumnsOf(link)].map(quoteName).join(', ');
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

/** Reads the versions of a type as they are stored: with links to documents, and with component ids. */
async function* readDocuments(database: ExternalDatabase, type: ContentType): AsyncGenerator<EntityRecord> {
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

/** The parts of a project to export. */
export interface ExportSelection extends ContentSelection {
  /** True if the export includes secrets in settings and hashes of API tokens, as a backup does. */
  readonly isPrivate?: boolean;
}

type IsSelected = (type: Pick<ContentType, 'uid'>) => boolean;

async function* none(): AsyncGenerator<never> {}

async function* readEntities(
  local: LocalDatabase,
  isSelected: IsSelected,
  { parts, isPrivate = false }: ExportSelection,
): AsyncGenerator<EntityRecord> {
  if (parts.has('content')) yield* readLocales(local);
  if (isSelected({ uid: FILE_UID })) yield* local.folders.entities();
  for (const type of local.model.types.filter(isSelected))
    for await (const record of readDocuments(local.database, type))
      yield isPrivate ? record : withoutCodes(record);
}

/** Reads the links between folders, and those of files to their folders. */
async function* readFolderLinks(local: LocalDatabase, isSelected: IsSelected): AsyncGenerator<LinkRecord> {
  yield* local.folders.links();
  for (const type of local.model.types)
    if (type.uid === FILE_UID && isSelected(type))
      for await (const record of readDocuments(local.database, type)) yield* local.folders.linksOf(record);
}

async function* readSettings(local: LocalDatabase, isPrivate: boolean): AsyncGenerator<ConfigurationRecord> {
  for await (const record of readConfiguration(local)) yield isPrivate ? record : withoutSecrets(record);
}

/** Opens a snapshot of a project's content, as it is stored. Omits secrets unless `isPrivate` is set. */
export async function openLocalSource(
  project: LocalProject,
  selection: ExportSelection,
): Promise<ContentSource> {
  const { parts, types, isPrivate = false } = selection;
  const local = await openLocalDatabase(project);
  const isSelected: IsSelected = ({ uid }) => includesType(selection, uid);
  const hasSettings = parts.has('config') && types === null;
  const hasFiles = isSelected({ uid: FILE_UID });
  return {
    description: local.database.description,
    product: 'Galley',
    version: null,
    fingerprint: '',
    schemas: () => describeSchemaFiles(project.model, project.root),
    entities: () => readEntities(local, isSelected, selection),
    links: () => (hasFiles ? readFolderLinks(local, isSelected) : none()),
    editorial: () => readEditorial(local, isSelected),
    configuration: () => (hasSettings ? readSettings(local, isPrivate) : none()),
    assets: () => (hasFiles ? readAssets(local, project.uploads) : none()),
    apiTokens: () => (hasSettings && isPrivate ? readLocalTokens(local) : none()),
    close: local.close,
  };
}
