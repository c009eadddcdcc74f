import type { ExternalDatabase, ExternalRow } from '../../database/dialect/database-driver.js';
import { quoteName } from '../../database/dialect/sql-text.js';
import type { LinkEnd, LinkRecord, SchemaRecord } from '../source.js';
import { isContent } from './entities.js';
import { joinColumnOf, joinTableOf, morphTableOf, tableOf } from './layout.js';
import type { Attribute } from './layout.js';
import { readNumber, readRows, readText } from './rows.js';

type Schemas = ReadonlyMap<string, SchemaRecord>;

const existingColumns = (
  database: ExternalDatabase,
  table: string,
  columns: readonly string[],
): readonly string[] => columns.filter((column) => database.tables.get(table)?.has(column));

const positionIn = (row: ExternalRow, column: string): { readonly pos?: number } => {
  const value = row[column];
  return value === null || value === undefined ? {} : { pos: readNumber(value) };
};

/** A relation to a content-type, on its owning side. */
interface Relation {
  readonly schema: SchemaRecord;
  readonly name: string;
  readonly relation: string;
  readonly target: SchemaRecord;
  readonly inverse: string | undefined;
}

const linkOf = (
  { schema, name, relation, target, inverse }: Relation,
  left: PositionedRef,
  right: PositionedRef,
): LinkRecord => ({
  kind: schema.uid === target.uid ? 'relation.circular' : 'relation.basic',
  relation,
  left: { type: schema.uid, field: name, ...left },
  right: { type: target.uid, ...(inverse === undefined ? {} : { field: inverse }), ...right },
});

type PositionedRef = Pick<LinkEnd, 'ref' | 'pos'>;

/** Reads the links of a join table. */
async function* readJoinTable(database: ExternalDatabase, relation: Relation): AsyncGenerator<LinkRecord> {
  const { schema, name, target } = relation;
  const join = joinTableOf(schema, name, relation.relation, target);
  const isOrdered = relation.relation.endsWith('ToMany');
  const hasInverseOrder = relation.inverse !== undefined && relation.relation.startsWith('many');
  const columns = [
    join.owner,
    join.target,
    ...existingColumns(database, join.table, [
      ...(isOrdered ? [join.order] : []),
      ...(hasInverseOrder ? [join.inverseOrder] : []),
    ]),
  ];
  const condition = `${quoteName(join.owner)} is not null and ${quoteName(join.target)} is not null`;
  for await (const row of readRows(database, { table: join.table, columns, condition }))
    yield linkOf(
      relation,
      { ref: readNumber(row[join.owner]), ...(isOrdered ? positionIn(row, join.order) : {}) },
      { ref: readNumber(row[join.target]), ...(hasInverseOrder ? positionIn(row, join.inverseOrder) : {}) },
    );
}

/** Reads the links in a column of the owner's table. */
async function* readJoinColumn(database: ExternalDatabase, relation: Relation): AsyncGenerator<LinkRecord> {
  const table = tableOf(relation.schema);
  const column = joinColumnOf(relation.name);
  if (existingColumns(database, table, [column]).length === 0) return;
  const query = { table, columns: [column], condition: `${quoteName(column)} is not null` };
  for await (const row of readRows(database, query))
    yield linkOf(relation, { ref: readNumber(row['id']) }, { ref: readNumber(row[column]) });
}

/** Reads the links of a polymorphic link table, including media. */
async function* readMorphTable(
  database: ExternalDatabase,
  schema: SchemaRecord,
  name: string,
): AsyncGenerator<LinkRecord> {
  const { table, owner, target, type } = morphTableOf(schema, name);
  const condition = [owner, target, type].map((column) => `${quoteName(column)} is not null`).join(' and ');
  const columns = [owner, target, type, 'field', 'order'];
  for await (const row of readRows(database, { table, columns, condition })) {
    const targetType = readText(row[type]) ?? '';
    if (!isContent(targetType)) continue;
    yield {
      kind: 'relation.morph',
      relation: 'morphToMany',
      left: { type: schema.uid, field: name, ref: readNumber(row[owner]) },
      right: {
        type: targetType,
        ref: readNumber(row[target]),
        field: readText(row['field']),
        ...positionIn(row, 'order'),
      },
    };
  }
}

/** Reads polymorphic links in two columns of the owner's table, whose names do not include the attribute. */
async function* readMorphColumns(
  database: ExternalDatabase,
  schema: SchemaRecord,
  name: string,
): AsyncGenerator<LinkRecord> {
  const table = tableOf(schema);
  const columns = ['target_id', 'target_type'];
  if (existingColumns(database, table, columns).length < columns.length) return;
  const condition = '"target_id" is not null and "target_type" is not null';
  for await (const row of readRows(database, { table, columns, condition }))
    yield {
      kind: 'relation.morph',
      relation: 'morphToOne',
      left: { type: schema.uid, field: name, ref: readNumber(row['id']) },
      right: { type: readText(row['target_type']) ?? '', ref: readNumber(row['target_id']) },
    };
}

const readAttribute = (
  database: ExternalDatabase,
  schemas: Schemas,
  schema: SchemaRecord,
  [name, attribute]: readonly [string, Attribute],
): AsyncIterable<LinkRecord> | null => {
  const { type, relation, inversedBy, mappedBy, unstable_virtual: isVirtual } = attribute;
  if (type !== 'relation' || typeof relation !== 'string' || isVirtual === true) return null;
  if (relation === 'morphToMany') return readMorphTable(database, schema, name);
  if (relation === 'morphToOne') return readMorphColumns(database, schema, name);
  if (relation.startsWith('morph')) return null;
  const target = schemas.get(String(attribute['target']));
  const inverse = typeof inversedBy === 'string' ? inversedBy : undefined;
  const isOwner = inverse !== undefined || mappedBy === undefined;
  if (target === undefined || !isContent(target.uid) || !isOwner) return null;
  const owned = { schema, name, relation, target, inverse };
  return attribute['useJoinTable'] === false
    ? readJoinColumn(database, owned)
    : readJoinTable(database, owned);
};

/** Reads all links between rows, attribute after attribute. */
export async function* readLinks(database: ExternalDatabase, schemas: Schemas): AsyncGenerator<LinkRecord> {
  for (const schema of schemas.values()) {
    if (!isContent(schema.uid)) continue;
    for (const attribute of Object.entries(schema.attributes)) {
      const links = readAttribute(database, schemas, schema, attribute);
      if (links !== null) yield* links;
    }
  }
}
