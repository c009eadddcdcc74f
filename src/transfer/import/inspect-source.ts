import { isRecord } from '../../lib/records.js';
import { getOrCreate } from '../../lib/collections.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import type {
  AssetRecord,
  ConfigurationRecord,
  ContentSource,
  EntityRecord,
  ImportOptions,
  SchemaRecord,
} from '../source.js';
import { FOLDER_UID, ImportFindings, LOCALE_UID, createImportModel } from './import-model.js';
import type { ImportModel } from './import-model.js';
import { LinkIndex } from './resolve-links.js';
import { RowIndex } from './row-index.js';
import type { IndexedRow } from './row-index.js';

/** Returns the reason that a row of an already imported version is omitted. */
const omissionReason = (type: ContentType, isDraft: boolean): string => {
  if (type.draftAndPublish) return 'Strapi has the same version twice; the first one is imported';
  return isDraft
    ? 'the content-type has no drafts here; the published version is imported'
    : 'Strapi has the same version twice; the first one is imported';
};

interface IndexOptions {
  readonly defaultLocale: string;
  readonly findings: ImportFindings;
}

/** Adds the version of a record to the index, or excludes the record. */
function indexVersion(
  index: RowIndex,
  type: ContentType,
  { id, data }: EntityRecord,
  { defaultLocale, findings }: IndexOptions,
): void {
  const documentId = data['documentId'];
  if (typeof documentId !== 'string' || documentId === '') {
    findings.add({ what: type.uid, reason: 'the row has no documentId', isLoss: true });
    return;
  }
  const sentLocale = typeof data['locale'] === 'string' && data['locale'] !== '' ? data['locale'] : null;
  if (!type.localized && sentLocale !== null && sentLocale !== defaultLocale) {
    const reason = `the content-type has no locales here; the version in ${defaultLocale} is imported`;
    findings.add({ what: type.uid, reason, isLoss: true });
    index.exclude(id, { documentId, locale: NO_LOCALE, status: 'published', isDraft: false });
    return;
  }
  const locale = type.localized ? (sentLocale ?? defaultLocale) : NO_LOCALE;
  const isDraft = (data['publishedAt'] ?? null) === null;
  const status = type.draftAndPublish && isDraft ? 'draft' : 'published';
  const row: IndexedRow = { documentId, locale, status, isDraft };
  if (index.add(id, row)) return;
  const former = index.get(index.idOf(row) ?? 0);
  const replacesDraft = !type.draftAndPublish && !isDraft && former?.isDraft === true;
  if (replacesDraft) index.replace(id, row);
  else index.exclude(id, row);
  findings.add({
    what: type.uid,
    reason: omissionReason(type, isDraft || replacesDraft),
    isLoss: !type.draftAndPublish,
  });
}

/** A locale of the export. */
export interface ImportedLocale {
  readonly id: number;
  readonly documentId: string | null;
  readonly code: string;
  readonly name: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly publishedAt: string | null;
}

/** Content of an export, without the values of its documents. */
export interface SourceInspection extends ImportModel {
  /** The versions to import, by the uid of their type. */
  readonly rows: ReadonlyMap<string, RowIndex>;
  readonly links: LinkIndex;
  readonly locales: readonly ImportedLocale[];
  /** The folders of the media library. */
  readonly folders: readonly EntityRecord[];
  readonly defaultLocale: string;
  readonly settings: readonly ConfigurationRecord[];
  readonly assets: ReadonlyMap<string, AssetRecord>;
  /** The ids of the drafts to create, by type and the id of their published row. */
  readonly missingDrafts: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly findings: ImportFindings;
  /** The number of rows in the export by type, including types that are not imported. */
  readonly counts: ReadonlyMap<string, number>;
  /** The linked documents that the export does not contain, by type. */
  readonly missing: LinkedDocuments;
}

type LinkedDocuments = ReadonlyMap<string, ReadonlySet<string>>;

const DEFAULT_LOCALE_KEY = 'plugin_i18n_default_locale';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const toLocale = ({ id, data }: EntityRecord): ImportedLocale => ({
  id,
  documentId: text(data['documentId']),
  code: text(data['code']) ?? '',
  name: text(data['name']),
  createdAt: text(data['createdAt']),
  updatedAt: text(data['updatedAt']),
  publishedAt: text(data['publishedAt']),
});

const readSettings = async (source: ContentSource): Promise<readonly ConfigurationRecord[]> => {
  const settings: ConfigurationRecord[] = [];
  for await (const record of source.configuration()) settings.push(record);
  return settings;
};

const readSchemas = async (source: ContentSource): Promise<ReadonlyMap<string, SchemaRecord>> => {
  const schemas = new Map<string, SchemaRecord>();
  for await (const record of source.schemas()) schemas.set(record.uid, record);
  return schemas;
};

/** Adds drafts for published rows without one, as in databases migrated from Strapi 4. */
const findMissingDrafts = (index: RowIndex): ReadonlyMap<number, number> => {
  const drafts = new Map<number, number>();
  let id = index.ids.largest;
  for (const publishedId of index.withoutDraft()) {
    const row = index.get(publishedId);
    if (row === undefined) continue;
    id += 1;
    drafts.set(publishedId, id);
    index.add(id, { ...row, status: 'draft', isDraft: true });
  }
  return drafts;
};

const addLinked = (linked: Map<string, Set<string>>, links: EntityRecord['links'] = {}): void => {
  for (const targets of Object.values(links))
    for (const { type, documentId } of targets)
      getOrCreate(linked, type, () => new Set<string>()).add(documentId);
};

/** Returns the linked documents that the export does not contain. */
const missingDocuments = (linked: LinkedDocuments, rows: ReadonlyMap<string, RowIndex>): LinkedDocuments =>
  new Map(
    [...linked].map(([uid, ids]) => [uid, new Set([...ids].filter((id) => rows.get(uid)?.has(id) !== true))]),
  );

const readAssets = async (source: ContentSource): Promise<ReadonlyMap<string, AssetRecord>> => {
  const assets = new Map<string, AssetRecord>();
  for await (const asset of source.assets()) assets.set(asset.name, asset);
  return assets;
};

const isRow = (value: unknown): boolean => isRecord(value) && value['type'] === 'core-store';

const defaultLocaleOf = (settings: readonly ConfigurationRecord[], fallback: string): string => {
  for (const record of settings)
    if (isRow(record) && record.type === 'core-store' && record.value.key === DEFAULT_LOCALE_KEY)
      return text(record.value.value) ?? fallback;
  return fallback;
};

/**
 * Reads an export once, to index its rows and links before anything is written.
 *
 * @param currentDefault the default locale of the project, for exports without configuration
 */
export async function inspectSource(
  source: ContentSource,
  model: ContentModel,
  options: ImportOptions,
  currentDefault: string,
): Promise<SourceInspection> {
  const findings = new ImportFindings();
  const imported = createImportModel(model, await readSchemas(source), options);
  const settings = await readSettings(source);
  const defaultLocale = defaultLocaleOf(settings, currentDefault);
  const rows = new Map<string, RowIndex>();
  const counts = new Map<string, number>();
  const locales: ImportedLocale[] = [];
  const folders: EntityRecord[] = [];
  const linked = new Map<string, Set<string>>();
  for await (const record of source.entities()) {
    counts.set(record.type, (counts.get(record.type) ?? 0) + 1);
    if (record.type === LOCALE_UID) locales.push(toLocale(record));
    if (record.type === FOLDER_UID) folders.push(record);
    const type = model.typesByUid[record.type];
    if (type === undefined) continue;
    const index = getOrCreate(rows, type.uid, () => new RowIndex());
    addLinked(linked, record.links);
    indexVersion(index, type, record, { defaultLocale, findings });
  }
  const missingDrafts = new Map<string, ReadonlyMap<number, number>>();
  for (const [uid, index] of rows)
    if (model.typesByUid[uid]?.draftAndPublish === true) missingDrafts.set(uid, findMissingDrafts(index));
  const links = new LinkIndex();
  for await (const link of source.links()) links.add(link);
  const assets = options.parts.has('files') ? await readAssets(source) : new Map<string, AssetRecord>();
  return {
    ...imported,
    rows,
    links,
    locales: locales.filter(({ code }) => code !== ''),
    folders,
    defaultLocale,
    settings,
    assets,
    missingDrafts,
    findings,
    counts,
    missing: missingDocuments(linked, rows),
  };
}
