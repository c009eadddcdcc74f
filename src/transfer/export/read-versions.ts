import type { ExternalDatabase, ExternalRow } from '../../database/dialect/database-driver.js';
import { contentFields } from '../../documents/write/version-statements.js';
import { isRecord } from '../../lib/records.js';
import { getOrCreate } from '../../lib/collections.js';
import type { ColumnKind, JsonValue } from '../../lib/stored-value.js';
import { readStoredTarget } from '../../model/lookup.js';
import type {
  Column,
  ComponentAttribute,
  ContentModel,
  ContentSchema,
  ContentType,
  DynamicZoneAttribute,
} from '../../model/model.js';
import type { EntityRecord } from '../source.js';
import { readNumber, readPages, readText, readTime, readValue } from '../strapi/rows.js';

/** Strapi's ids are 32-bit integers. */
const MAX_ID = 2_147_483_647;

/** True if a value is a valid id in Strapi. */
function isStrapiId(id: unknown): id is number {
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= MAX_ID;
}

/** Assigns ids to components in an export, by component uid. Returns the stored id where possible. */
interface ComponentIdSource {
  readonly next: (uid: string, id: unknown) => number;
}

/**
 * Assigns ids that are unique for each component uid. A component keeps its stored id, unless that is too
 * large for Strapi or already used.
 */
export class ComponentIds implements ComponentIdSource {
  readonly #largest: ReadonlyMap<string, number>;
  readonly #used = new Map<string, Set<number>>();
  readonly #last = new Map<string, number>();

  /** @param largest the largest id that can be kept, by component uid */
  constructor(largest: ReadonlyMap<string, number>) {
    this.#largest = largest;
  }

  next(uid: string, id: unknown): number {
    const used = getOrCreate(this.#used, uid, () => new Set<number>());
    if (isStrapiId(id) && !used.has(id)) {
      used.add(id);
      return id;
    }
    const created = (this.#last.get(uid) ?? this.#largest.get(uid) ?? 0) + 1;
    this.#last.set(uid, created);
    return created;
  }
}

type ComponentValues = Record<string, JsonValue>;

/** A link that a component holds. */
export interface ComponentLink {
  readonly component: string;
  readonly id: number;
  readonly attribute: string;
  /** Position of the target in the list, from 1. */
  readonly pos: number;
  readonly target: string;
  readonly documentId: string;
}

const isComponentValues = (value: JsonValue): value is ComponentValues => isRecord(value);

const documentIdsIn = (value: JsonValue | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((id): id is string => typeof id === 'string');

/**
 * Converts stored components to those of an export. Their ids, unique within a version, become unique for
 * each component uid. The same rows in the same order get the same ids.
 */
class ComponentNumbering {
  readonly #model: ContentModel;
  readonly #ids: ComponentIdSource;

  constructor(model: ContentModel, ids: ComponentIdSource) {
    this.#model = model;
    this.#ids = ids;
  }

  /** Returns the value of an attribute, and adds the links in it to `links`. */
  convert(
    attribute: ComponentAttribute | DynamicZoneAttribute,
    value: JsonValue,
    links: ComponentLink[],
  ): JsonValue {
    const items: readonly JsonValue[] = Array.isArray(value) ? value : [value];
    const converted = items.filter(isComponentValues).flatMap((item) => {
      const kind = item['__component'];
      const named = typeof kind === 'string' ? kind : '';
      const uid = attribute.family === 'component' ? attribute.component : named;
      const schema = this.#model.componentsByUid[uid];
      if (schema === undefined) return [];
      const values = this.#convertItem(schema, item, links);
      return [attribute.family === 'component' ? values : { ...values, __component: uid }];
    });
    const isList = attribute.family === 'dynamiczone' || attribute.repeatable;
    return isList ? converted : (converted[0] ?? null);
  }

  #convertItem(schema: ContentSchema, item: ComponentValues, links: ComponentLink[]): ComponentValues {
    const { uid } = schema;
    const id = this.#ids.next(uid, item['id']);
    const values: ComponentValues = { id };
    for (const attribute of Object.values(schema.attributes)) {
      const { name } = attribute;
      if (attribute.family === 'scalar') values[name] = item[name] ?? null;
      else if (attribute.family === 'component' || attribute.family === 'dynamiczone')
        values[name] = this.convert(attribute, item[name] ?? null, links);
      else
        for (const [index, stored] of documentIdsIn(item[name]).entries()) {
          const linked = readStoredTarget(attribute, stored);
          if (linked === null || !Object.hasOwn(this.#model.typesByUid, linked.type)) continue;
          const { type: target, documentId } = linked;
          links.push({ component: uid, id, attribute: name, pos: index + 1, target, documentId });
        }
    }
    return values;
  }
}

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
  // Text keeps all digits, which Strapi's driver does not.
  bigint: 'string',
  double: 'float',
  boolean: 'boolean',
  datetime: 'datetime',
  json: 'json',
};

const SYSTEM_COLUMNS = ['document_id', 'locale', 'status', 'created_at', 'updated_at', 'published_at'];

const columnValue = (row: ExternalRow, { name, kind }: Column): JsonValue =>
  readValue(TYPES[kind], '', row[name]);

/** Converts stored components to those of an export. */
type ConvertComponents = (
  attribute: ComponentAttribute | DynamicZoneAttribute,
  value: JsonValue,
) => JsonValue;

/** Returns the record of a version row, without its links. */
export function toRecord(type: ContentType, row: ExternalRow, convert: ConvertComponents): EntityRecord {
  const data: Record<string, JsonValue> = { documentId: readText(row['document_id']) };
  for (const attribute of Object.values(type.attributes)) {
    if (!('column' in attribute)) continue;
    const value = columnValue(row, attribute.column);
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

const exportRow = (type: ContentType, row: ExternalRow, numbering: ComponentNumbering): ExportedVersion => {
  const links: ComponentLink[] = [];
  return {
    record: toRecord(type, row, (attribute, value) => numbering.convert(attribute, value, links)),
    status: readText(row['status']) ?? '',
    locale: readText(row['locale']) ?? '',
    links,
  };
};

/** Reads all columns of a type's version rows, page by page, in the order of their ids. */
export function readVersionRows(
  database: ExternalDatabase,
  type: ContentType,
): AsyncGenerator<readonly ExternalRow[]> {
  const columns = [...SYSTEM_COLUMNS, ...contentFields(type).map(({ name }) => name)];
  return readPages(database, { table: type.storage.version.table, columns });
}

/** Source of version rows. */
export interface VersionSource {
  readonly database: ExternalDatabase;
  readonly model: ContentModel;
}

/** Reads the version rows of all types in Strapi's form, page by page. */
export async function* readVersions(
  { database, model }: VersionSource,
  ids: ComponentIdSource,
): AsyncGenerator<readonly ExportedVersion[]> {
  const numbering = new ComponentNumbering(model, ids);
  for (const type of model.types)
    for await (const rows of readVersionRows(database, type))
      yield rows.map((row) => exportRow(type, row, numbering));
}

/** Returns the largest component ids that exports can keep, by component uid. */
export async function findLargestComponentIds(content: VersionSource): Promise<ReadonlyMap<string, number>> {
  const largest = new Map<string, number>();
  const next = (uid: string, id: unknown): number => {
    if (isStrapiId(id)) largest.set(uid, Math.max(id, largest.get(uid) ?? 0));
    return 0;
  };
  const isComposed = ({ attributes }: ContentType): boolean =>
    Object.values(attributes).some(({ family }) => family === 'component' || family === 'dynamiczone');
  const types = content.model.types.filter(isComposed);
  for await (const _ of readVersions({ ...content, model: { ...content.model, types } }, { next }));
  return largest;
}
