/** The folder prisma-schema prints prisma/schema.prisma from the content model, beginning in this file. */
import type { PrismaSchemaSupport } from '../../database/dialect/dialect.js';
import { defined } from '../../lib/assert.js';
import type {
  Attribute,
  ColumnLink,
  ContentModel,
  ContentType,
  LinkAttribute,
  VersionIndex,
} from '../../model/model.js';
import { backRelationName, morphLinkBlock, tableLinkBlock } from './link-block.js';
import {
  columnLine,
  createSchemaContext,
  documentRelation,
  foreignKeyLine,
  idAttribute,
  indexAttribute,
  mapAttribute,
  ownsLink,
  printModelBlock,
  publishedUniqueAttribute,
  uniqueAttribute,
} from './schema-context.js';
import type { FieldLine, ModelBlock, SchemaContext } from './schema-context.js';

const requireType = ({ model }: SchemaContext, uid: string): ContentType =>
  defined(model.typesByUid[uid], `The type ${uid}`);

const columnLinkLines = (
  context: SchemaContext,
  type: ContentType,
  link: ColumnLink,
): readonly FieldLine[] => {
  const documentModel = requireType(context, link.target).storage.document.model;
  const { version } = type.storage;
  const relation = `${version.model}_${link.relationField}`;
  context.addBackRelation(
    documentModel,
    backRelationName(version.model, link.relationField),
    `${version.model}[]`,
    relation,
  );
  return [
    columnLine(context.support, { field: link.field, name: link.column, kind: 'text' }, { modifier: '?' }),
    foreignKeyLine(context, {
      relation,
      name: link.relationField,
      field: link.field,
      column: link.column,
      table: version.table,
      target: { model: documentModel, key: 'documentId' },
      onDelete: 'SetNull',
      optional: true,
    }),
    ...(link.position === null
      ? []
      : [
          {
            name: link.position.field,
            type: 'Float?',
            attributes: mapAttribute({ field: link.position.field, name: link.position.column }),
          },
        ]),
  ];
};

/** Returns the attributes whose links are stored in tables of the type. */
const ownedLinks = (type: ContentType): readonly LinkAttribute[] =>
  Object.values(type.attributes).filter(
    (attribute): attribute is LinkAttribute => 'link' in attribute && ownsLink(type, attribute),
  );

const attributeLines = (
  context: SchemaContext,
  type: ContentType,
  attribute: Attribute,
): readonly FieldLine[] => {
  if ('column' in attribute) {
    return [
      columnLine(
        context.support,
        { field: attribute.column.field, name: attribute.column.name, kind: attribute.column.kind },
        { modifier: '?' },
      ),
    ];
  }
  if (attribute.link === null || attribute.link.kind !== 'column' || !ownsLink(type, attribute)) return [];
  return columnLinkLines(context, type, attribute.link);
};

const attributeIndexes = (
  context: SchemaContext,
  type: ContentType,
  attribute: Attribute,
): readonly string[] => {
  const { table } = type.storage.version;
  if (attribute.family === 'scalar') {
    const isUnique =
      (attribute.constraints.unique || attribute.type === 'uid') && attribute.column.kind !== 'json';
    if (!isUnique) return [];
    const index = {
      table,
      fields: [attribute.column.field, 'locale', 'status'],
      columns: [attribute.column.name, 'locale', 'status'],
    };
    const unique = publishedUniqueAttribute(context, index);
    // Drafts may repeat a value. Statements whose status is a parameter need an index of all versions, which
    // `type.indexes` has where it can hold the values.
    return attribute.field.indexable ? [unique] : [unique, indexAttribute(context, index)];
  }
  if (
    !('link' in attribute) ||
    attribute.link === null ||
    attribute.link.kind !== 'column' ||
    !ownsLink(type, attribute)
  )
    return [];
  const { field, column, position } = attribute.link;
  return [
    indexAttribute(context, {
      table,
      fields: [field, ...(position === null ? [] : [position.field])],
      columns: [column, ...(position === null ? [] : [position.column])],
    }),
  ];
};

const systemLines = (context: SchemaContext, type: ContentType): readonly FieldLine[] => {
  const { support } = context;
  const { version, document } = type.storage;
  return [
    {
      name: 'id',
      type: 'Int',
      attributes: [idAttribute(context, version.table), '@default(autoincrement())'],
    },
    columnLine(support, { field: 'documentId', name: 'document_id', kind: 'text' }, { modifier: '' }),
    foreignKeyLine(context, {
      relation: documentRelation(version.model),
      name: context.pool(version.model).allocate('document'),
      field: 'documentId',
      column: 'document_id',
      table: version.table,
      target: { model: document.model, key: 'documentId' },
      onDelete: 'Cascade',
      optional: false,
    }),
    columnLine(support, { field: 'locale', name: 'locale', kind: 'text' }, { modifier: '' }),
    columnLine(support, { field: 'status', name: 'status', kind: 'text' }, { modifier: '' }),
    columnLine(support, { field: 'createdAt', name: 'created_at', kind: 'datetime' }, { modifier: '' }),
    columnLine(support, { field: 'updatedAt', name: 'updated_at', kind: 'datetime' }, { modifier: '' }),
    columnLine(support, { field: 'publishedAt', name: 'published_at', kind: 'datetime' }, { modifier: '?' }),
  ];
};

const versionIndex = (context: SchemaContext, table: string, index: VersionIndex): string =>
  indexAttribute(context, {
    table,
    fields: [
      'status',
      'locale',
      ...index.map(({ field, isDescending }) => (isDescending ? `${field}(sort: Desc)` : field)),
      'id',
    ],
    columns: ['status', 'locale', ...index.map(({ column }) => column), 'id'],
  });

/** Returns the model of the version table: one row per document, locale and status. */
function versionBlock(context: SchemaContext, type: ContentType): ModelBlock {
  const { table, model } = type.storage.version;
  const attributes = Object.values(type.attributes);
  const indexes = attributes.flatMap((attribute) => attributeIndexes(context, type, attribute));
  const isUnique = (line: string): boolean => line.startsWith('@@unique');
  return {
    name: model,
    comment: `${type.uid}: one row per document, locale and status.`,
    table,
    fields: [
      ...systemLines(context, type),
      ...attributes.flatMap((attribute) => attributeLines(context, type, attribute)),
    ],
    attributes: [
      uniqueAttribute(context, {
        table,
        fields: ['documentId', 'locale', 'status'],
        columns: ['document_id', 'locale', 'status'],
      }),
      // In the order of Prisma's formatter.
      ...indexes.filter(isUnique),
      ...indexes.filter((line) => !isUnique(line)),
      indexAttribute(context, {
        table,
        fields: ['status', 'locale', 'id'],
        columns: ['status', 'locale', 'id'],
      }),
      ...type.indexes.map((index) => versionIndex(context, table, index)),
    ],
  };
}

/** Returns the model of the document table: one row per document, which relations reference. */
function documentBlock(context: SchemaContext, type: ContentType): ModelBlock {
  const { table, model } = type.storage.document;
  return {
    name: model,
    comment: `${type.uid}: one row per document.`,
    table,
    fields: [
      columnLine(
        context.support,
        { field: 'documentId', name: 'document_id', kind: 'text' },
        { modifier: '', attributes: [idAttribute(context, table)] },
      ),
      { name: 'revision', type: 'Int', attributes: ['@default(0)'] },
    ],
    attributes: [],
  };
}

/** Returns the models of the link tables that a type owns. */
function linkBlocks(context: SchemaContext, type: ContentType): readonly ModelBlock[] {
  return ownedLinks(type).flatMap((attribute) => {
    const { link } = attribute;
    if (link === null || link.kind === 'column') return [];
    return [
      link.kind === 'table'
        ? tableLinkBlock(context, type, link, requireType(context, link.target))
        : morphLinkBlock(context, type, link),
    ];
  });
}

export interface PrismaSchemaInput {
  readonly model: ContentModel;
  readonly support: PrismaSchemaSupport;
  /** The text of the package's prisma/base.prisma: the tables that belong to no content-type. */
  readonly base: string;
}

const header = (
  support: PrismaSchemaSupport,
): string => `// Written by "cms generate" from the content-types in src/. Changes made here are overwritten.

generator client {
  provider        = "prisma-client-js"
  output          = "../.galley/client"
  previewFeatures = ["partialIndexes"]
}

datasource db {
  provider = ${JSON.stringify(support.provider)}
}
`;

/** Adds this database's native type to the DateTime columns of the system tables, their only difference. */
const withNativeDateTimes = (base: string, support: PrismaSchemaSupport): string => {
  const { attribute } = support.columnType('datetime');
  if (attribute === null) return base;
  return base.replace(/^( {2}\w+ +DateTime\b.*)$/gm, `$1 ${attribute}`);
};

const withBackRelations = (context: SchemaContext, block: ModelBlock): ModelBlock => ({
  ...block,
  fields: [...block.fields, ...context.backRelationsOf(block.name)],
});

/**
 * Prints the project's prisma/schema.prisma: a Prisma 7 schema with a document model and a version model per
 * content-type, the link tables, and the system tables. It depends on the model alone.
 *
 * @example
 *   const base = await readFile('prisma/base.prisma', 'utf8');
 *   printPrismaSchema({ model, support: dialect.schema, base });
 */
export function printPrismaSchema({ model, support, base }: PrismaSchemaInput): string {
  const context = createSchemaContext(model, support);
  const blocks = model.types.flatMap((type) => [
    documentBlock(context, type),
    versionBlock(context, type),
    ...linkBlocks(context, type),
  ]);
  const printed = blocks.map((block) => printModelBlock(withBackRelations(context, block)));
  return (
    [header(support), ...printed, withNativeDateTimes(base.trimEnd(), support)].join('\n').trimEnd() + '\n'
  );
}
