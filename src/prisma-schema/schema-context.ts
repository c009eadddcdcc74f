import type { Dialect } from '../dialects/dialect.js';
import type { ColumnKind } from '../lib/stored-value.js';
import type { ContentModel, ContentType, Link, LinkAttribute } from '../model/model.js';
import type { FieldLine } from './model-block.js';
import { createConstraintNamer, createNamePool } from './names.js';
import type { ConstraintNamer, NamePool } from './names.js';

/** What the schema needs to know of a database. */
export type SchemaDialect = Pick<Dialect, 'prismaProvider' | 'prismaType' | 'namesConstraints'>;

/**
 * The schema under construction. Relation fields come in pairs: whoever prints one end leaves the other for the model it belongs to,
 * in `back`, by that model's name.
 */
export interface SchemaContext {
  readonly model: ContentModel;
  readonly dialect: SchemaDialect;
  readonly addBack: (modelName: string, field: string, type: string, relation: string) => void;
  readonly takeBack: (modelName: string) => readonly FieldLine[];
  readonly constraintName: ConstraintNamer;
  /** Field names still free in the model of that name. */
  readonly pool: (modelName: string) => NamePool;
}

const ANCHOR_FIELDS = ['documentId', 'revision'];
const VERSION_FIELDS = ['id', 'documentId', 'locale', 'status', 'createdAt', 'updatedAt', 'publishedAt'];

const linkFields = (link: Link): readonly string[] => {
  if (link.kind !== 'column') return [];
  return [link.field, link.relationField, ...(link.position === null ? [] : [link.position.field])];
};

/** Whether the type keeps this attribute's link in its own tables. */
export function ownsLink(type: ContentType, attribute: LinkAttribute): boolean {
  return attribute.link !== null && attribute.link.owner === type.uid && attribute.link.ownerAttribute === attribute.name;
}

const versionFields = (type: ContentType): readonly string[] =>
  Object.values(type.attributes).flatMap((attribute) => {
    if ('column' in attribute) return [attribute.column.field];
    return attribute.link !== null && ownsLink(type, attribute) ? linkFields(attribute.link) : [];
  });

/** The nearest name Prisma takes for a field. */
const identifier = (name: string): string => {
  const cleaned = name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^[^A-Za-z]+/, '');
  return cleaned === '' ? 'links' : cleaned;
};

export function createSchemaContext(model: ContentModel, dialect: SchemaDialect): SchemaContext {
  const pools = new Map<string, NamePool>();
  const back = new Map<string, FieldLine[]>();
  for (const type of model.types) {
    pools.set(type.storage.anchor.model, createNamePool(ANCHOR_FIELDS));
    pools.set(type.storage.version.model, createNamePool([...VERSION_FIELDS, ...versionFields(type)]));
  }
  const pool = (modelName: string): NamePool => {
    const known = pools.get(modelName);
    if (known === undefined) throw new TypeError(`The schema has no model ${modelName}`);
    return known;
  };
  const addBack: SchemaContext['addBack'] = (modelName, wished, type, relation) => {
    const line = { name: pool(modelName).take(identifier(wished)), type, attributes: [`@relation(${JSON.stringify(relation)})`] };
    back.set(modelName, [...(back.get(modelName) ?? []), line]);
  };
  for (const { storage } of model.types) addBack(storage.anchor.model, 'versions', `${storage.version.model}[]`, documentRelation(storage.version.model));
  return { model, dialect, pool, constraintName: createConstraintNamer(), addBack, takeBack: (modelName) => back.get(modelName) ?? [] };
}

/** Name of the relation between a type's version rows and its anchor. */
export function documentRelation(versionModel: string): string {
  return `${versionModel}_document`;
}

/** A column as the dialect types it. `modifier` is `?` where the database lets it be null. */
export function columnLine(dialect: SchemaDialect, column: { readonly field: string; readonly name: string; readonly kind: ColumnKind }, rest: { readonly modifier: '' | '?'; readonly attributes?: readonly string[] }): FieldLine {
  const { type, attribute } = dialect.prismaType(column.kind);
  return {
    name: column.field,
    type: `${type}${rest.modifier}`,
    attributes: [...(rest.attributes ?? []), ...mapAttribute(column), ...(attribute === null ? [] : [attribute])],
  };
}

/** `@map` where the column is called something else than the field. */
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

/** The relation field over a foreign key column. */
export function foreignKeyLine(context: SchemaContext, key: ForeignKey): FieldLine {
  const parts = [JSON.stringify(key.relation), `fields: [${key.field}]`, `references: [${key.target.key}]`, `onDelete: ${key.onDelete}`];
  if (context.dialect.namesConstraints) parts.push(`map: ${JSON.stringify(context.constraintName(key.table, [key.column], 'fkey'))}`);
  return { name: key.name, type: `${key.target.model}${key.optional ? '?' : ''}`, attributes: [`@relation(${parts.join(', ')})`] };
}

interface BlockIndex {
  readonly table: string;
  readonly fields: readonly string[];
  readonly columns: readonly string[];
}

export function uniqueAttribute(context: SchemaContext, index: BlockIndex): string {
  return `@@unique([${index.fields.join(', ')}], map: ${JSON.stringify(context.constraintName(index.table, index.columns, 'key'))})`;
}

export function indexAttribute(context: SchemaContext, index: BlockIndex): string {
  return `@@index([${index.fields.join(', ')}], map: ${JSON.stringify(context.constraintName(index.table, index.columns, 'idx'))})`;
}

/** `@id`, named where the database names primary keys. */
export function idAttribute(context: SchemaContext, table: string): string {
  return context.dialect.namesConstraints ? `@id(map: ${JSON.stringify(context.constraintName(table, [], 'pkey'))})` : '@id';
}
