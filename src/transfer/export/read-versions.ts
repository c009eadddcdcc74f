import { contentFields } from '../../documents/version-fields.js';
import type { ForeignDatabase, ForeignRow } from '../../database/dialect/foreign-database.js';
import type { ColumnKind, JsonValue } from '../../lib/stored-value.js';
import type {
  Column,
  ComponentAttribute,
  ContentModel,
  ContentType,
  DynamicZoneAttribute,
} from '../../model/model.js';
import { readPages } from '../strapi/live/pages.js';
import { readNumber, readText, readTime, readValue } from '../strapi/live/values.js';
import type { EntityRecord } from '../source.js';
import { canKeep } from './component-ids.js';
import type { ComponentIdSource } from './component-ids.js';
import { ComponentNumbering } from './component-numbering.js';
import type { ComponentLink } from './component-numbering.js';

/** A version row, and the links in its components. */
export interface ExportedVersion {
  readonly record: EntityRecord;
  readonly status: string;
  readonly locale: string;
  readonly links: readonly ComponentLink[];
}

const TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'string',
  integer: 'integer',
  // All digits, other than Strapi's driver reads.
  bigint: 'string',
  double: 'float',
  boolean: 'boolean',
  datetime: 'datetime',
  json: 'json',
};

const SYSTEM_COLUMNS = ['document_id', 'locale', 'status', 'created_at', 'updated_at', 'published_at'];

const valueOf = (row: ForeignRow, { name, kind }: Column): JsonValue => readValue(TYPES[kind], '', row[name]);

/** Turns stored components into those of an export. */
type ConvertComponents = (
  attribute: ComponentAttribute | DynamicZoneAttribute,
  value: JsonValue,
) => JsonValue;

/** The record of a version row, without its links. */
export function toRecord(type: ContentType, row: ForeignRow, convert: ConvertComponents): EntityRecord {
  const data: Record<string, JsonValue> = { documentId: readText(row['document_id']) };
  for (const attribute of Object.values(type.attributes)) {
    if (!('column' in attribute)) continue;
    const value = valueOf(row, attribute.column);
    data[attribute.name] = attribute.family === 'scalar' ? value : convert(attribute, value);
  }
  const locale = readText(row['locale']) ?? '';
  const createdAt = readTime(row['created_at']);
  const publishedAt =
    readText(row['status']) === 'draft' ? null : (readTime(row['published_at']) ?? createdAt);
  const system = { createdAt, updatedAt: readTime(row['updated_at']), publishedAt };
  return {
    type: type.uid,
    id: readNumber(row['id']),
    data: { ...data, ...system, locale: locale === '' ? null : locale },
  };
}

const exportRow = (type: ContentType, row: ForeignRow, numbering: ComponentNumbering): ExportedVersion => {
  const links: ComponentLink[] = [];
  return {
    record: toRecord(type, row, (attribute, value) => numbering.convert(attribute, value, links)),
    status: readText(row['status']) ?? '',
    locale: readText(row['locale']) ?? '',
    links,
  };
};

/** Reads the version rows of a type with all that they hold, page by page, in the order of their ids. */
export function readVersionRows(
  database: ForeignDatabase,
  type: ContentType,
): AsyncGenerator<readonly ForeignRow[]> {
  const columns = [...SYSTEM_COLUMNS, ...contentFields(type).map(({ name }) => name)];
  return readPages(database, { table: type.storage.version.table, columns });
}

/** Source of version rows. */
export interface VersionSource {
  readonly database: ForeignDatabase;
  readonly model: ContentModel;
}

/** Reads the version rows of all types as Strapi has them, page by page. */
export async function* readVersions(
  { database, model }: VersionSource,
  ids: ComponentIdSource,
): AsyncGenerator<readonly ExportedVersion[]> {
  const numbering = new ComponentNumbering(model, ids);
  for (const type of model.types)
    for await (const rows of readVersionRows(database, type))
      yield rows.map((row) => exportRow(type, row, numbering));
}

/** Finds the largest ids of components that exports can keep, by their kinds. */
export async function findLargestComponentIds(content: VersionSource): Promise<ReadonlyMap<string, number>> {
  const largest = new Map<string, number>();
  const next = (uid: string, id: unknown): number => {
    if (canKeep(id)) largest.set(uid, Math.max(id, largest.get(uid) ?? 0));
    return 0;
  };
  const isComposed = ({ attributes }: ContentType): boolean =>
    Object.values(attributes).some(({ family }) => family === 'component' || family === 'dynamiczone');
  const types = content.model.types.filter(isComposed);
  for await (const _ of readVersions({ ...content, model: { ...content.model, types } }, { next }));
  return largest;
}
