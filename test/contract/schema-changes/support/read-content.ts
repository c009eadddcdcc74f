import type { BoundValue } from '../../../../src/database/dialect/sql-expressions.js';
import type { ReadConnection } from '../../../../src/database/dialect/database-driver.js';
import type { Dialect } from '../../../../src/database/dialect/dialect.js';
import type { Attribute, ContentModel, ContentSchema, ContentType } from '../../../../src/model/model.js';
import { componentOf } from '../../../../src/model/lookup.js';
import { parseReadQuery } from '../../../../src/query/parse/parse-read-query.js';
import { createReadCompiler } from '../../../../src/query/compile/read-compiler.js';
import { isRecord } from '../../../../src/lib/records.js';
import { readTableStates } from './table-states.js';
import type { TableStates } from './table-states.js';

/** One version of a document or one item of a component: the values it holds, by name. */
export type Item = Readonly<Record<string, unknown>>;

/** All versions by `documentId locale status`, of all types by their singular names. */
export type Content = Readonly<Record<string, Readonly<Record<string, Item>>>>;

const OPTIONS = {
  limits: { defaultLimit: 1000, maxLimit: 1000, populateDepth: 20, maxNodes: 100_000 },
  access: { canFind: () => true },
  defaultLocale: 'en',
};

const ID_ONLY = { fields: ['documentId'] };

const populateOf = (model: ContentModel, schema: ContentSchema): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.values(schema.attributes).flatMap((attribute) =>
      attribute.family === 'scalar' ? [] : [[attribute.name, populateAttribute(model, attribute)]],
    ),
  );

const populateAttribute = (model: ContentModel, attribute: Attribute): unknown => {
  switch (attribute.family) {
    case 'scalar':
      return undefined;
    case 'component':
      return { populate: populateOf(model, componentOf(model, attribute.component)) };
    case 'dynamiczone':
      return {
        on: Object.fromEntries(
          attribute.components.map((uid) => [uid, { populate: populateOf(model, componentOf(model, uid)) }]),
        ),
      };
    case 'relation':
    case 'media':
      return attribute.link?.kind === 'morph' && attribute.side === 'owner'
        ? { on: Object.fromEntries(attribute.link.targets.map(({ uid }) => [uid, ID_ONLY])) }
        : ID_ONLY;
  }
};

const reference = (target: unknown): unknown => {
  if (!isRecord(target)) return target;
  const { __type: type, documentId } = target;
  return type === undefined ? documentId : [type, documentId].join(' ');
};

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Lists and single values alike. */
export const mapEach = (value: unknown, map: (one: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(map) : map(value);

/** The ISO text of a timestamp, which the API shows as milliseconds, so that it compares with a datetime. */
const momentOf = (value: unknown): string => new Date(Number(value)).toISOString();

const readValue = (model: ContentModel, attribute: Attribute, value: unknown): unknown => {
  switch (attribute.family) {
    case 'scalar':
      return attribute.type === 'timestamp' ? momentOf(value) : value;
    case 'relation':
    case 'media':
      return mapEach(value, reference);
    case 'component':
      return mapEach(value, (item) => readItem(model, componentOf(model, attribute.component), item));
    case 'dynamiczone':
      return mapEach(value, (item) =>
        readItem(model, componentOf(model, String(isRecord(item) ? item['__component'] : null)), item),
      );
  }
};

const readItem = (model: ContentModel, schema: ContentSchema, item: unknown): Item => {
  if (!isRecord(item)) throw new TypeError(`No item of ${schema.uid}`);
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => {
      const attribute = schema.attributes[name];
      if (isEmpty(value)) return [];
      return [[name, attribute === undefined ? value : readValue(model, attribute, value)]];
    }),
  );
};

interface Source {
  readonly model: ContentModel;
  readonly dialect: Dialect;
  readonly url: string;
}

/** The versions of a type that have a status. */
interface VersionReader {
  readonly type: ContentType;
  readonly status: string;
  readonly sql: string;
  readonly parameters: readonly BoundValue[];
  /** What tells the statement from those of other models. */
  readonly key: string;
  /** Of texts that were read before. Most rows leave most versions as they are. */
  readonly items: Map<string, Item>;
}

const createReaders = (model: ContentModel, dialect: Dialect): readonly VersionReader[] => {
  const compiler = createReadCompiler(model, dialect.expressions);
  return model.types
    .filter((type) => type.origin === 'project' || type.singularName === 'file')
    .flatMap((type) =>
      (type.draftAndPublish ? ['draft', 'published'] : ['published']).map((status) => {
        const locale = type.localized ? { locale: '*' } : {};
        const parameters = { status, ...locale, populate: populateOf(model, type), sort: 'id' };
        const query = parseReadQuery(model, type.uid, parameters, OPTIONS);
        const { sql, parameters: values } = compiler.read(query);
        const key = JSON.stringify([sql, values]);
        return { type, status, sql, parameters: values, key, items: new Map<string, Item>() };
      }),
    );
};

const knownReaders = new WeakMap<Dialect, WeakMap<ContentModel, readonly VersionReader[]>>();

const readersOf = (model: ContentModel, dialect: Dialect): readonly VersionReader[] => {
  const byModel = knownReaders.get(dialect) ?? new WeakMap<ContentModel, readonly VersionReader[]>();
  const readers = byModel.get(model) ?? createReaders(model, dialect);
  knownReaders.set(dialect, byModel.set(model, readers));
  return readers;
};

const itemOf = (model: ContentModel, { type, items }: VersionReader, text: string): Item => {
  const item = items.get(text) ?? readItem(model, type, JSON.parse(text));
  items.set(text, item);
  return item;
};

interface KnownResult {
  /** The states of the tables that the statement names. */
  readonly states: string;
  readonly texts: readonly (string | null)[];
}

const knownResults = new Map<string, KnownResult>();

const statesOf = (sql: string, tables: TableStates): string =>
  [...tables].flatMap(([name, state]) => (sql.includes(`"${name}"`) ? [`${name} ${state}`] : [])).join();

/**
 * Runs the statement, unless it was run on tables that held the same: most rows leave most tables as they
 * are, and the statements take longer than all else of a row.
 */
const textsOf = async (
  connection: ReadConnection,
  { sql, parameters, key }: VersionReader,
  tables: TableStates,
): Promise<KnownResult['texts']> => {
  const states = statesOf(sql, tables);
  const known = knownResults.get(key);
  if (known?.states === states) return known.texts;
  const texts = await connection.queryTexts(sql, parameters);
  // The first result is that of the prepared site, which most rows leave as it is.
  if (known === undefined) knownResults.set(key, { states, texts });
  return texts;
};

/**
 * Reads all versions of all documents of the project, with everything in them. Other documents stand as their
 * ids. Statements are those of the API's reads.
 */
export async function readContent({ model, dialect, url }: Source): Promise<Content> {
  const tables = await readTableStates(url);
  const connection = await dialect.driver.openReadConnection(url);
  try {
    const content: Record<string, Record<string, Item>> = {};
    for (const reader of readersOf(model, dialect)) {
      const { type, status } = reader;
      const versions = (content[type.singularName] ??= {});
      for (const text of await textsOf(connection, reader, tables)) {
        const item = itemOf(model, reader, text ?? 'null');
        versions[[item['documentId'], item['locale'] ?? '-', status].join(' ')] = item;
      }
    }
    return content;
  } finally {
    await connection.close();
  }
}
