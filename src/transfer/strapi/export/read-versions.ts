import type { ForeignRow } from '../../../dialects/foreign-database.js';
import type { ColumnKind, JsonValue } from '../../../lib/stored-value.js';
import type { Column, ContentType } from '../../../model/model.js';
import { readPages } from '../live/pages.js';
import { readNumber, readText, readTime, readValue } from '../live/values.js';
import type { EntityRecord } from '../source.js';
import { canKeep } from './component-ids.js';
import type { ComponentIdSource } from './component-ids.js';
import { ComponentNumbering } from './component-numbering.js';
import type { ComponentLink } from './component-numbering.js';
import type { OwnDatabase } from './own-database.js';

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

const columnsOf = (type: ContentType): readonly string[] =>
  Object.values(type.attributes).flatMap((attribute) =>
    'column' in attribute ? [attribute.column.name] : [],
  );

const convert = (type: ContentType, row: ForeignRow, numbering: ComponentNumbering): ExportedVersion => {
  const links: ComponentLink[] = [];
  const data: Record<string, JsonValue> = { documentId: readText(row['document_id']) };
  for (const attribute of Object.values(type.attributes)) {
    if (!('column' in attribute)) continue;
    const value = valueOf(row, attribute.column);
    data[attribute.name] = attribute.family === 'scalar' ? value : numbering.convert(attribute, value, links);
  }
  const [locale, status] = [readText(row['locale']) ?? '', readText(row['status']) ?? ''];
  const createdAt = readTime(row['created_at']);
  const publishedAt = status === 'draft' ? null : (readTime(row['published_at']) ?? createdAt);
  const system = { createdAt, updatedAt: readTime(row['updated_at']), publishedAt };
  const record = {
    type: type.uid,
    id: readNumber(row['id']),
    data: { ...data, ...system, locale: locale === '' ? null : locale },
  };
  return { record, status, locale, links };
};

type Content = Pick<OwnDatabase, 'database' | 'model'>;

/** Reads the version rows of all types, page by page. */
export async function* readVersions(
  { database, model }: Content,
  ids: ComponentIdSource,
): AsyncGenerator<readonly ExportedVersion[]> {
  const numbering = new ComponentNumbering(model, ids);
  for (const type of model.types) {
    const { table } = type.storage.version;
    const pages = readPages(database, { table, columns: [...SYSTEM_COLUMNS, ...columnsOf(type)] });
    for await (const rows of pages) yield rows.map((row) => convert(type, row, numbering));
  }
}

/** Finds the largest ids of components that exports can keep, by their kinds. */
export async function findLargestComponentIds(content: Content): Promise<ReadonlyMap<string, number>> {
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
