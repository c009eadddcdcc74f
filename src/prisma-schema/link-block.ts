import { upperFirst } from '../lib/casing.js';
import type { ContentType, MorphLink, TableLink } from '../model/model.js';
import type { FieldLine, ModelBlock } from './model-block.js';
import { columnLine, foreignKeyLine, idAttribute, indexAttribute, mapAttribute, uniqueAttribute } from './schema-context.js';
import type { SchemaContext } from './schema-context.js';

/** `articles` of `Author` pointed at by `Article.author` is called `articleAuthor` on the author's anchor. */
export function backFieldName(ownerModel: string, attribute: string): string {
  return `${ownerModel.charAt(0).toLowerCase()}${ownerModel.slice(1)}${upperFirst(attribute)}`;
}

const idLine = (context: SchemaContext, table: string): FieldLine => ({
  name: 'id',
  type: 'Int',
  attributes: [idAttribute(context, table), '@default(autoincrement())'],
});

/** The foreign key to the version row that holds the link, and the list of links on that row. */
const sourceLines = (context: SchemaContext, owner: ContentType, link: TableLink | MorphLink): readonly FieldLine[] => {
  const relation = `${link.model}_source`;
  const column = { field: 'sourceId', name: 'source_id' };
  context.addBack(owner.storage.version.model, link.ownerAttribute, `${link.model}[]`, relation);
  return [
    { name: column.field, type: 'Int', attributes: mapAttribute(column) },
    foreignKeyLine(context, {
      relation,
      name: 'source',
      field: column.field,
      column: column.name,
      table: link.table,
      target: { model: owner.storage.version.model, key: 'id' },
      onDelete: 'Cascade',
      optional: false,
    }),
  ];
};

const positionLine: FieldLine = { name: 'position', type: 'Int', attributes: [] };

const targetStateLines = (context: SchemaContext, link: TableLink): readonly FieldLine[] => [
  ...(link.hasTargetStatus
    ? [columnLine(context.dialect, { field: 'targetStatus', name: 'target_status', kind: 'text' }, { modifier: '', attributes: ['@default("published")'] })]
    : []),
  ...(link.hasTargetLocale
    ? [columnLine(context.dialect, { field: 'targetLocale', name: 'target_locale', kind: 'text' }, { modifier: '', attributes: ['@default("")'] })]
    : []),
];

const tableLinkIndexes = (context: SchemaContext, link: TableLink): readonly string[] => {
  const { table } = link;
  const state = [...(link.hasTargetStatus ? ['Status'] : []), ...(link.hasTargetLocale ? ['Locale'] : [])];
  const inverse = link.hasInversePosition ? { fields: ['inversePosition'], columns: ['inverse_position'] } : { fields: [], columns: [] };
  return [
    uniqueAttribute(context, {
      table,
      fields: ['sourceId', 'targetDocumentId', ...state.map((name) => `target${name}`)],
      columns: ['source_id', 'target_document_id', ...state.map((name) => `target_${name.toLowerCase()}`)],
    }),
    indexAttribute(context, { table, fields: ['sourceId', 'position'], columns: ['source_id', 'position'] }),
    indexAttribute(context, { table, fields: ['targetDocumentId', ...inverse.fields], columns: ['target_document_id', ...inverse.columns] }),
  ];
};

/** The link table of a to-many relation (or of a to-one that has to say which version of its target it stands for). */
export function tableLinkBlock(context: SchemaContext, owner: ContentType, link: TableLink, target: ContentType): ModelBlock {
  const relation = `${link.model}_target`;
  const anchor = target.storage.anchor.model;
  const column = { field: 'targetDocumentId', name: 'target_document_id' };
  context.addBack(anchor, backFieldName(owner.storage.version.model, link.ownerAttribute), `${link.model}[]`, relation);
  return {
    name: link.model,
    comment: `Links ${owner.uid} ${link.ownerAttribute} to ${target.uid}${link.inverseAttribute === null ? '' : ` ${link.inverseAttribute}`}.`,
    table: link.table,
    fields: [
      idLine(context, link.table),
      ...sourceLines(context, owner, link),
      columnLine(context.dialect, { ...column, kind: 'text' }, { modifier: '' }),
      foreignKeyLine(context, {
        relation,
        name: 'target',
        field: column.field,
        column: column.name,
        table: link.table,
        target: { model: anchor, key: 'documentId' },
        onDelete: 'Cascade',
        optional: false,
      }),
      positionLine,
      ...(link.hasInversePosition ? [{ name: 'inversePosition', type: 'Int?', attributes: ['@map("inverse_position")'] }] : []),
      ...targetStateLines(context, link),
    ],
    attributes: tableLinkIndexes(context, link),
  };
}

const morphTargetLines = (context: SchemaContext, owner: ContentType, link: MorphLink): readonly FieldLine[] =>
  link.targets.flatMap((target) => {
    const anchor = context.model.typesByUid[target.uid]?.storage.anchor.model;
    if (anchor === undefined) throw new TypeError(`The model has no type ${target.uid}`);
    const relation = `${link.model}_${target.field}`;
    context.addBack(anchor, backFieldName(owner.storage.version.model, link.ownerAttribute), `${link.model}[]`, relation);
    return [
      columnLine(context.dialect, { field: target.field, name: target.column, kind: 'text' }, { modifier: '?' }),
      foreignKeyLine(context, {
        relation,
        name: target.relationField,
        field: target.field,
        column: target.column,
        table: link.table,
        target: { model: anchor, key: 'documentId' },
        onDelete: 'Cascade',
        optional: true,
      }),
    ];
  });

/** The link table of a polymorphic relation: one nullable foreign key per possible target. */
export function morphLinkBlock(context: SchemaContext, owner: ContentType, link: MorphLink): ModelBlock {
  const { table } = link;
  return {
    name: link.model,
    comment: `Links ${owner.uid} ${link.ownerAttribute} to documents of several types; one target column is set in a row.`,
    table,
    fields: [idLine(context, table), ...sourceLines(context, owner, link), positionLine, ...morphTargetLines(context, owner, link)],
    attributes: [
      indexAttribute(context, { table, fields: ['sourceId', 'position'], columns: ['source_id', 'position'] }),
      ...link.targets.map((target) => indexAttribute(context, { table, fields: [target.field], columns: [target.column] })),
    ],
  };
}
