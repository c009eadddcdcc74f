import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExternalDatabase, ExternalRow } from '../../database/dialect/database-driver.js';
import { quoteName } from '../../database/dialect/sql-text.js';
import type { JsonValue } from '../../lib/stored-value.js';
import { isRecord } from '../../lib/records.js';
import type { EntityRecord, SchemaRecord, AssetRecord } from '../source.js';
import { columnOf, componentTableOf, tableOf } from './layout.js';
import type { Attribute } from './layout.js';
import { readNumber, readPages, readText, readValue, readRows } from './rows.js';

type ComponentValues = Record<string, JsonValue>;

const NOT_SCALAR = new Set(['relation', 'media', 'component', 'dynamiczone']);

/** A scalar attribute that has a column. */
interface ScalarColumn {
  readonly name: string;
  readonly type: string;
  readonly column: string;
  readonly native: string;
}

/** Returns the columns that hold the scalar attributes of a schema. */
const scalarColumnsOf = (database: ExternalDatabase, schema: SchemaRecord): readonly ScalarColumn[] => {
  const table = database.tables.get(tableOf(schema));
  return Object.entries(schema.attributes).flatMap(([name, { type }]) => {
    const column = columnOf(name);
    const native = table?.get(column);
    if (native === undefined || typeof type !== 'string' || NOT_SCALAR.has(type)) return [];
    return [{ name, type, column, native }];
  });
};

const readScalars = (columns: readonly ScalarColumn[], row: ExternalRow): ComponentValues =>
  Object.fromEntries(
    columns.map(({ name, type, column, native }) => [name, readValue(type, native, row[column])]),
  );

const componentAttributesOf = ({ attributes }: SchemaRecord): readonly (readonly [string, Attribute])[] =>
  Object.entries(attributes).filter(([, { type }]) => type === 'component' || type === 'dynamiczone');

interface Use {
  readonly owner: number;
  readonly component: number;
  readonly uid: string;
  readonly field: string;
}

/** Returns the components of some rows of a type, in order. */
const readUses = async (
  database: ExternalDatabase,
  schema: SchemaRecord,
  ids: readonly number[],
): Promise<readonly Use[]> => {
  const table = componentTableOf(schema);
  if (!database.tables.has(table)) return [];
  const rows = await database.rows(
    `select "entity_id", "cmp_id", "component_type", "field" from ${quoteName(table)}
       where "entity_id" in (${ids.join(', ')}) order by "order", "id"`,
  );
  return rows.map((row) => ({
    owner: readNumber(row['entity_id']),
    component: readNumber(row['cmp_id']),
    uid: readText(row['component_type']) ?? '',
    field: readText(row['field']) ?? '',
  }));
};

const nest = (
  type: Attribute,
  uses: readonly Use[],
  valuesOfUse: (use: Use) => ComponentValues | undefined,
): JsonValue => {
  const values = uses.flatMap((use) => {
    const value = valuesOfUse(use);
    if (value === undefined) return [];
    return [type['type'] === 'dynamiczone' ? { ...value, __component: use.uid } : value];
  });
  return type['type'] === 'dynamiczone' || type['repeatable'] === true ? values : (values[0] ?? null);
};

/** Reads components with their nested components: one query for each component uid and level. */
class ComponentReader {
  readonly #database: ExternalDatabase;
  readonly #schemas: ReadonlyMap<string, SchemaRecord>;

  constructor(database: ExternalDatabase, schemas: ReadonlyMap<string, SchemaRecord>) {
    this.#database = database;
    this.#schemas = schemas;
  }

  /** Returns the components of rows, by row id. */
  async read(schema: SchemaRecord, ids: readonly number[]): Promise<ReadonlyMap<number, ComponentValues>> {
    const attributes = componentAttributesOf(schema);
    if (attributes.length === 0 || ids.length === 0) return new Map();
    const uses = await readUses(this.#database, schema, ids);
    const idsByUid = new Map<string, Set<number>>();
    for (const { uid, component } of uses)
      idsByUid.set(uid, (idsByUid.get(uid) ?? new Set<number>()).add(component));
    const components = new Map<string, ReadonlyMap<number, ComponentValues>>();
    for (const [uid, of] of idsByUid) components.set(uid, await this.#readComponents(uid, [...of]));
    const usesOf = new Map<string, Use[]>();
    for (const use of uses) {
      const key = `${use.owner} ${use.field}`;
      usesOf.set(key, [...(usesOf.get(key) ?? []), use]);
    }
    const valuesOfUse = ({ uid, component }: Use): ComponentValues | undefined =>
      components.get(uid)?.get(component);
    return new Map(
      ids.map((id) => [
        id,
        Object.fromEntries(
          attributes.map(([name, type]) => [
            name,
            nest(type, usesOf.get(`${id} ${name}`) ?? [], valuesOfUse),
          ]),
        ),
      ]),
    );
  }

  async #readComponents(uid: string, ids: readonly number[]): Promise<ReadonlyMap<number, ComponentValues>> {
    const schema = this.#schemas.get(uid);
    if (schema === undefined || !this.#database.tables.has(tableOf(schema))) return new Map();
    const columns = scalarColumnsOf(this.#database, schema);
    const names = ['id', ...columns.map(({ column }) => column)].map(quoteName).join(', ');
    const rows = await this.#database.rows(
      `select ${names} from ${quoteName(tableOf(schema))} where "id" in (${ids.join(', ')})`,
    );
    const nested = await this.read(schema, ids);
    return new Map(
      rows.map((row) => {
        const id = readNumber(row['id']);
        return [id, { id, ...readScalars(columns, row), ...nested.get(id) }];
      }),
    );
  }
}

/** Types of the admin panel, which exports omit too. */
const EXCLUDED = /^(?:admin::|plugin::content-releases\.|plugin::review-workflows\.)/;

/** True if the documents of a type are content. */
export const isContent = (uid: string): boolean => !EXCLUDED.test(uid);

/** Returns the content-types whose rows are read. */
export const contentTypesOf = (schemas: ReadonlyMap<string, SchemaRecord>): readonly SchemaRecord[] =>
  [...schemas.values()].filter(({ modelType, uid }) => modelType === 'contentType' && isContent(uid));

/** Reads all version rows, type after type. */
export async function* readEntities(
  database: ExternalDatabase,
  schemas: ReadonlyMap<string, SchemaRecord>,
): AsyncGenerator<EntityRecord> {
  const components = new ComponentReader(database, schemas);
  for (const schema of contentTypesOf(schemas)) {
    const table = tableOf(schema);
    if (!database.tables.has(table)) continue;
    const scalars = scalarColumnsOf(database, schema);
    const columns = ['document_id', ...scalars.map(({ column }) => column)];
    for await (const rows of readPages(database, { table, columns })) {
      const ids = rows.map((row) => readNumber(row['id']));
      const nested = await components.read(schema, ids);
      for (const row of rows) {
        const id = readNumber(row['id']);
        const documentId = readText(row['document_id']);
        yield {
          type: schema.uid,
          id,
          data: { documentId, ...readScalars(scalars, row), ...nested.get(id) },
        };
      }
    }
  }
}

type Metadata = Readonly<Record<string, JsonValue>>;

const download = (url: string): Readable => {
  const output = new PassThrough();
  const run = async (): Promise<void> => {
    const { body, ok, status } = await fetch(url);
    if (!ok || body === null) throw new Error(`${url} responded with status ${status}`);
    await pipeline(Readable.fromWeb(body), output);
  };
  run().catch((error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))));
  return output;
};

const findRemote = async (url: JsonValue | undefined): Promise<Pick<AssetRecord, 'size' | 'open'> | null> => {
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return null;
  try {
    const { ok, headers } = await fetch(url, { method: 'HEAD' });
    return ok ? { size: Number(headers.get('content-length') ?? 0), open: () => download(url) } : null;
  } catch {
    return null;
  }
};

const findLocal = async (path: string): Promise<Pick<AssetRecord, 'size' | 'open'> | null> => {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? { size: found.size, open: () => createReadStream(path) } : null;
};

/** Returns the metadata of the file, then of its smaller formats. */
const describeAll = (id: number, file: Metadata): readonly Metadata[] => {
  const formats = isRecord(file['formats']) ? Object.entries(file['formats']) : [];
  return [
    { ...file, id },
    ...formats.flatMap(([type, format]) =>
      isRecord(format) ? [{ ...format, type, id, mainHash: file['hash'] ?? null }] : [],
    ),
  ];
};

/** Returns the name of a stored file. Null: the name leads out of the folder, so Strapi did not write it. */
const nameOf = ({ hash, ext }: Metadata): string | null => {
  const name = [hash, ext].filter((part) => typeof part === 'string').join('');
  return name === '' || basename(name) !== name ? null : name;
};

/** Reads the stored file that a row describes, and its smaller formats. Skips those that cannot be read. */
export async function* findAssets(
  id: number,
  file: Metadata,
  uploads: string | null,
): AsyncGenerator<AssetRecord> {
  for (const metadata of describeAll(id, file)) {
    const name = nameOf(metadata);
    if (name === null) continue;
    const local = uploads === null ? null : await findLocal(join(uploads, name));
    const found = local ?? (await findRemote(metadata['url']));
    if (found !== null) yield { name, metadata, ...found };
  }
}

/** Reads the stored files: from the uploads folder, otherwise from their URLs. Skips unreachable files. */
export async function* readAssets(
  database: ExternalDatabase,
  schema: SchemaRecord | undefined,
  uploads: string | null,
): AsyncGenerator<AssetRecord> {
  if (schema === undefined) return;
  const columns = scalarColumnsOf(database, schema);
  const query = {
    table: tableOf(schema),
    columns: ['document_id', ...columns.map(({ column }) => column)],
  };
  for await (const row of readRows(database, query)) {
    const file = { documentId: readText(row['document_id']), ...readScalars(columns, row) };
    yield* findAssets(readNumber(row['id']), file, uploads);
  }
}
