import type { Attribute, ColumnLink, ContentType, LinkAttribute } from '../model/model.js';
import { backFieldName, morphLinkBlock, tableLinkBlock } from './link-block.js';
import type { FieldLine, ModelBlock } from './model-block.js';
import { columnLine, documentRelation, foreignKeyLine, idAttribute, indexAttribute, mapAttribute, ownsLink, uniqueAttribute } from './schema-context.js';
import type { SchemaContext } from './schema-context.js';
import { printVersionFacts } from './version-facts.js';

const targetOf = (context: SchemaContext, uid: string): ContentType => {
  const type = context.model.typesByUid[uid];
  if (type === undefined) throw new TypeError(`The model has no type ${uid}`);
  return type;
};

const columnLinkLines = (context: SchemaContext, type: ContentType, link: ColumnLink): readonly FieldLine[] => {
  const anchor = targetOf(context, link.target).storage.anchor.model;
  const { version } = type.storage;
  const relation = `${version.model}_${link.relationField}`;
  context.addBack(anchor, backFieldName(version.model, link.relationField), `${version.model}[]`, relation);
  return [
    columnLine(context.dialect, { field: link.field, name: link.column, kind: 'text' }, { modifier: '?' }),
    foreignKeyLine(context, {
      relation,
      name: link.relationField,
      field: link.field,
      column: link.column,
      table: version.table,
      target: { model: anchor, key: 'documentId' },
      onDelete: 'SetNull',
      optional: true,
    }),
    ...(link.position === null
      ? []
      : [{ name: link.position.field, type: 'Int?', attributes: mapAttribute({ field: link.position.field, name: link.position.column }) }]),
  ];
};

/** The links a type keeps itself, with the attributes they belong to. */
const ownLinks = (type: ContentType): readonly LinkAttribute[] =>
  Object.values(type.attributes).filter((attribute): attribute is LinkAttribute => 'link' in attribute && ownsLink(type, attribute));

const attributeLines = (context: SchemaContext, type: ContentType, attribute: Attribute): readonly FieldLine[] => {
  if ('column' in attribute) {
    return [columnLine(context.dialect, { field: attribute.column.field, name: attribute.column.name, kind: attribute.column.kind }, { modifier: '?' })];
  }
  if (attribute.link === null || attribute.link.kind !== 'column' || !ownsLink(type, attribute)) return [];
  return columnLinkLines(context, type, attribute.link);
};

const attributeIndexes = (context: SchemaContext, type: ContentType, attribute: Attribute): readonly string[] => {
  const { table } = type.storage.version;
  if (attribute.family === 'scalar') {
    const unique = (attribute.constraints.unique || attribute.type === 'uid') && attribute.column.kind !== 'json';
    if (!unique) return [];
    return [uniqueAttribute(context, { table, fields: [attribute.column.field, 'locale', 'status'], columns: [attribute.column.name, 'locale', 'status'] })];
  }
  if (!('link' in attribute) || attribute.link === null || attribute.link.kind !== 'column' || !ownsLink(type, attribute)) return [];
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
  const { dialect } = context;
  const { version, anchor } = type.storage;
  return [
    { name: 'id', type: 'Int', attributes: [idAttribute(context, version.table), '@default(autoincrement())'] },
    columnLine(dialect, { field: 'documentId', name: 'document_id', kind: 'text' }, { modifier: '' }),
    foreignKeyLine(context, {
      relation: documentRelation(version.model),
      name: context.pool(version.model).take('document'),
      field: 'documentId',
      column: 'document_id',
      table: version.table,
      target: { model: anchor.model, key: 'documentId' },
      onDelete: 'Cascade',
      optional: false,
    }),
    columnLine(dialect, { field: 'locale', name: 'locale', kind: 'text' }, { modifier: '' }),
    columnLine(dialect, { field: 'status', name: 'status', kind: 'text' }, { modifier: '' }),
    columnLine(dialect, { field: 'createdAt', name: 'created_at', kind: 'datetime' }, { modifier: '' }),
    columnLine(dialect, { field: 'updatedAt', name: 'updated_at', kind: 'datetime' }, { modifier: '' }),
    columnLine(dialect, { field: 'publishedAt', name: 'published_at', kind: 'datetime' }, { modifier: '?' }),
  ];
};

/** The version table: one row per document, locale and status. */
export function versionBlock(context: SchemaContext, type: ContentType): ModelBlock {
  const { table, model } = type.storage.version;
  const attributes = Object.values(type.attributes);
  return {
    name: model,
    comment: `${type.uid}: one row per document, locale and status.`,
    note: printVersionFacts(context.model, type),
    table,
    fields: [...systemLines(context, type), ...attributes.flatMap((attribute) => attributeLines(context, type, attribute))],
    attributes: [
      uniqueAttribute(context, { table, fields: ['documentId', 'locale', 'status'], columns: ['document_id', 'locale', 'status'] }),
      ...attributes.flatMap((attribute) => attributeIndexes(context, type, attribute)),
      indexAttribute(context, { table, fields: ['status', 'locale', 'id'], columns: ['status', 'locale', 'id'] }),
    ],
  };
}

/** The anchor table: one row per document, which relations point at. */
export function anchorBlock(context: SchemaContext, type: ContentType): ModelBlock {
  const { table, model } = type.storage.anchor;
  return {
    name: model,
    comment: `${type.uid}: one row per document.`,
    table,
    fields: [
      columnLine(context.dialect, { field: 'documentId', name: 'document_id', kind: 'text' }, { modifier: '', attributes: [idAttribute(context, table)] }),
      { name: 'revision', type: 'Int', attributes: ['@default(0)'] },
    ],
    attributes: [],
  };
}

/** The link tables a type owns. */
export function linkBlocks(context: SchemaContext, type: ContentType): readonly ModelBlock[] {
  return ownLinks(type).flatMap((attribute) => {
    const { link } = attribute;
    if (link === null || link.kind === 'column') return [];
    return [link.kind === 'table' ? tableLinkBlock(context, type, link, targetOf(context, link.target)) : morphLinkBlock(context, type, link)];
  });
}
