import type { PrismaSchemaSupport } from '../../database/dialect/dialect.js';
import { defined } from '../../lib/assert.js';
import { createNamePool, hashedName, shortName } from '../../lib/names.js';
import type { NamePool } from '../../lib/names.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import type { ContentModel, ContentType, Link, LinkAttribute } from '../../model/model.js';
import { toPrismaField } from '../../model/names.js';

/** One line of a Prisma model: a column or a relation field. */
export interface FieldLine {
  readonly name: string;
  /** The type with its modifier: `String`, `Int?`, `Article[]`. */
  readonly type: string;
  readonly attributes: readonly string[];
}

/** A Prisma model, ready to be printed. */
export interface ModelBlock {
  readonly name: string;
  readonly comment: string;
  readonly fields: readonly FieldLine[];
  /** Block attributes without `@@map`: `@@index([status, locale, id], map: "…")`. */
  readonly attributes: readonly string[];
  readonly table: string;
}

const maxLength = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));

const printField = (field: FieldLine, nameWidth: number, typeWidth: number): string =>
  `  ${field.name.padEnd(nameWidth)} ${field.type.padEnd(typeWidth)} ${field.attributes.join(' ')}`.trimEnd();

/** Prints a model as Prisma's formatter does, so that formatting on save changes nothing. */
export function printModelBlock(block: ModelBlock): string {
  const nameWidth = maxLength(block.fields.map((field) => field.name));
  const typeWidth = maxLength(block.fields.map((field) => field.type));
  return [
    `/// ${block.comment}`,
    `model ${block.name} {`,
    ...block.fields.map((field) => printField(field, nameWidth, typeWidth)),
    '',
    ...[...block.attributes, `@@map(${JSON.stringify(block.table)})`].map((attribute) => `  ${attribute}`),
    '}',
    '',
  ].join('\n');
}

/** PostgreSQL cuts longer names, so that two of them could become equal. */
const MAX_BYTES = 63;

type ConstraintSuffix = 'key' | 'idx' | 'fkey' | 'pkey';

/** Returns a name for an index or constraint that is unique in the database. */
type ConstraintNamer = (table: string, columns: readonly string[], suffix: ConstraintSuffix) => string;

/**
 * Creates names such as `articles_author_document_id_fkey`. If two are equal, as of `a_b` + `c` and `a` +
 * `b_c`, the second gets a hash.
 */
function createConstraintNamer(): ConstraintNamer {
  const used = new Set<string>();
  return (table, columns, suffix) => {
    const maxStemBytes = MAX_BYTES - suffix.length - 1;
    const stem = [table, ...columns].join('_');
    const name = `${shortName(stem, maxStemBytes)}_${suffix}`;
    const uniqueName = used.has(name)
      ? `${hashedName(stem, maxStemBytes, [table, ...columns].join(' '))}_${suffix}`
      : name;
    used.add(uniqueName);
    return uniqueName;
  };
}

/**
 * The state of printing a schema. Prisma requires a relation field on both models. The code that prints one
 * of them adds the other with `addBackRelation`, and the printer appends it to its model.
 */
export interface SchemaContext {
  readonly model: ContentModel;
  readonly support: PrismaSchemaSupport;
  readonly addBackRelation: (modelName: string, field: string, type: string, relation: string) => void;
  readonly backRelationsOf: (modelName: string) => readonly FieldLine[];
  readonly constraintName: ConstraintNamer;
  /** The pool of field names of a model. */
  readonly pool: (modelName: string) => NamePool;
}

const DOCUMENT_FIELDS = ['documentId', 'revision'];
const VERSION_FIELDS = ['id', 'documentId', 'locale', 'status', 'createdAt', 'updatedAt', 'publishedAt'];

const linkFields = (link: Link): readonly string[] => {
  if (link.kind !== 'column') return [];
  return [link.field, link.relationField, ...(link.position === null ? [] : [link.position.field])];
};

/** True if tables of the type store this attribute's link. */
export function ownsLink(type: ContentType, attribute: LinkAttribute): boolean {
  return (
    attribute.link !== null &&
    attribute.link.owner === type.uid &&
    attribute.link.ownerAttribute === attribute.name
  );
}

const versionFields = (type: ContentType): readonly string[] =>
  Object.values(type.attributes).flatMap((attribute) => {
    if ('column' in attribute) return [attribute.column.field];
    return attribute.link !== null && ownsLink(type, attribute) ? linkFields(attribute.link) : [];
  });

const createFieldPool = (taken: readonly string[]): NamePool => {
  const pool = createNamePool();
  pool.reserve(taken);
  return pool;
};

/** Creates the context with the field names of all columns reserved. */
export function createSchemaContext(model: ContentModel, support: PrismaSchemaSupport): SchemaContext {
  const pools = new Map<string, NamePool>();
  const backRelations = new Map<string, FieldLine[]>();
  for (const type of model.types) {
    pools.set(type.storage.document.model, createFieldPool(DOCUMENT_FIELDS));
    pools.set(type.storage.version.model, createFieldPool([...VERSION_FIELDS, ...versionFields(type)]));
  }
  const pool = (modelName: string): NamePool => {
    return defined(pools.get(modelName), `The model ${modelName} of the schema`);
  };
  const addBackRelation: SchemaContext['addBackRelation'] = (modelName, preferred, type, relation) => {
    const line = {
      name: pool(modelName).allocate(toPrismaField(preferred)),
      type,
      attributes: [`@relation(${JSON.stringify(relation)})`],
    };
    backRelations.set(modelName, [...(backRelations.get(modelName) ?? []), line]);
  };
  for (const { storage } of model.types)
    addBackRelation(
      storage.document.model,
      'versions',
      `${storage.version.model}[]`,
      documentRelation(storage.version.model),
    );
  return {
    model,
    support,
    pool,
    constraintName: createConstraintNamer(),
    addBackRelation,
    backRelationsOf: (modelName) => backRelations.get(modelName) ?? [],
  };
}

/** Names the relation between the version rows of a type and its documents. */
export function documentRelation(versionModel: string): string {
  return `${versionModel}_document`;
}

/** Returns a column with its type in this database. `modifier` is `?` if the column is nullable. */
export function columnLine(
  support: PrismaSchemaSupport,
  column: { readonly field: string; readonly name: string; readonly kind: ColumnKind },
  options: { readonly modifier: '' | '?'; readonly attributes?: readonly string[] },
): FieldLine {
  const { type, attribute } = support.columnType(column.kind);
  return {
    name: column.field,
    type: `${type}${options.modifier}`,
    attributes: [
      ...(options.attributes ?? []),
      ...mapAttribute(column),
      ...(attribute === null ? [] : [attribute]),
    ],
  };
}

/** Returns `@map` if the names of column and field differ. */
export function mapAttribute(column: { readonly field: string; readonly name: string }): readonly string[] {
  return column.field === column.name ? [] : [`@map(${JSON.stringify(column.name)})`];
}

interface ForeignKey {
  readonly relation: string;
  readonly name: string;
  readonly field: string;
  readonly column: string;
  readonly table: string;
  readonly target: { readonly model: string; readonly key: string };
  readonly onDelete: 'Cascade' | 'SetNull';
  readonly optional: boolean;
}

/** Returns the relation field of a foreign key column. */
export function foreignKeyLine(context: SchemaContext, key: ForeignKey): FieldLine {
  const relationArguments = [
    JSON.stringify(key.relation),
    `fields: [${key.field}]`,
    `references: [${key.target.key}]`,
    `onDelete: ${key.onDelete}`,
  ];
  if (context.support.namesConstraints)
    relationArguments.push(`map: ${JSON.stringify(context.constraintName(key.table, [key.column], 'fkey'))}`);
  return {
    name: key.name,
    type: `${key.target.model}${key.optional ? '?' : ''}`,
    attributes: [`@relation(${relationArguments.join(', ')})`],
  };
}

interface BlockIndex {
  readonly table: string;
  readonly fields: readonly string[];
  readonly columns: readonly string[];
}

export function uniqueAttribute(context: SchemaContext, index: BlockIndex): string {
  const name = context.constraintName(index.table, index.columns, 'key');
  return `@@unique([${index.fields.join(', ')}], map: ${JSON.stringify(name)})`;
}

/** Returns a unique index of the published versions alone. */
export function publishedUniqueAttribute(context: SchemaContext, index: BlockIndex): string {
  return uniqueAttribute(context, index).replace(/\)$/, ', where: { status: "published" })');
}

export function indexAttribute(context: SchemaContext, index: BlockIndex): string {
  const name = context.constraintName(index.table, index.columns, 'idx');
  return `@@index([${index.fields.join(', ')}], map: ${JSON.stringify(name)})`;
}

/** Returns `@id`, with a name if the database names primary keys. */
export function idAttribute(context: SchemaContext, table: string): string {
  return context.support.namesConstraints
    ? `@id(map: ${JSON.stringify(context.constraintName(table, [], 'pkey'))})`
    : '@id';
}
