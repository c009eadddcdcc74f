import { lowerFirst, upperFirst } from '../../lib/names.js';
import { defined } from '../../lib/assert.js';
import type { ContentType, MorphLink, TableLink } from '../../model/model.js';
import {
  columnLine,
  foreignKeyLine,
  idAttribute,
  indexAttribute,
  mapAttribute,
  uniqueAttribute,
} from './schema-context.js';
import type { FieldLine, ModelBlock, SchemaContext } from './schema-context.js';

/**
 * Names the back relation of a link: that of `Article.author` is `articleAuthor` on the model
 * `AuthorDocument`.
 */
export function backRelationName(ownerModel: string, attribute: string): string {
  return `${lowerFirst(ownerModel)}${upperFirst(attribute)}`;
}

const idLine = (context: SchemaContext, table: string): FieldLine => ({
  name: 'id',
  type: 'Int',
  attributes: [idAttribute(context, table), '@default(autoincrement())'],
});

/** Returns the foreign key to the owning version row, and adds the list of links to its model. */
const sourceLines = (
  context: SchemaContext,
  owner: ContentType,
  link: TableLink | MorphLink,
): readonly FieldLine[] => {
  const relation = `${link.model}_source`;
  const column = { field: 'sourceId', name: 'source_id' };
  context.addBackRelation(owner.storage.version.model, link.ownerAttribute, `${link.model}[]`, relation);
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

const positionLine: FieldLine = { name: 'position', type: 'Float', attributes: [] };

interface TargetVersionColumn {
  readonly field: string;
  readonly name: string;
  readonly defaultValue: string;
}

/** Returns the columns for the status and locale of the target, where the owner has none. */
const targetVersionColumns = (link: TableLink): readonly TargetVersionColumn[] => [
  ...(link.hasTargetStatus
    ? [{ field: 'targetStatus', name: 'target_status', defaultValue: 'published' }]
    : []),
  ...(link.hasTargetLocale ? [{ field: 'targetLocale', name: 'target_locale', defaultValue: '' }] : []),
];

const targetVersionLines = (context: SchemaContext, link: TableLink): readonly FieldLine[] =>
  targetVersionColumns(link).map(({ field, name, defaultValue }) =>
    columnLine(
      context.support,
      { field, name, kind: 'text' },
      { modifier: '', attributes: [`@default(${JSON.stringify(defaultValue)})`] },
    ),
  );

const tableLinkIndexes = (context: SchemaContext, link: TableLink): readonly string[] => {
  const { table, hasInversePosition } = link;
  const versionColumns = targetVersionColumns(link);
  return [
    uniqueAttribute(context, {
      table,
      fields: ['sourceId', 'targetDocumentId', ...versionColumns.map(({ field }) => field)],
      columns: ['source_id', 'target_document_id', ...versionColumns.map(({ name }) => name)],
    }),
    indexAttribute(context, { table, fields: ['sourceId', 'position'], columns: ['source_id', 'position'] }),
    indexAttribute(context, {
      table,
      fields: ['targetDocumentId', ...(hasInversePosition ? ['inversePosition'] : [])],
      columns: ['target_document_id', ...(hasInversePosition ? ['inverse_position'] : [])],
    }),
  ];
};

/** Returns the link table of a to-many relation, or of a to-one relation that stores its target's version. */
export function tableLinkBlock(
  context: SchemaContext,
  owner: ContentType,
  link: TableLink,
  target: ContentType,
): ModelBlock {
  const relation = `${link.model}_target`;
  const inverse = link.inverseAttribute === null ? '' : ` ${link.inverseAttribute}`;
  const documentModel = target.storage.document.model;
  const column = { field: 'targetDocumentId', name: 'target_document_id' };
  context.addBackRelation(
    documentModel,
    backRelationName(owner.storage.version.model, link.ownerAttribute),
    `${link.model}[]`,
    relation,
  );
  return {
    name: link.model,
    comment: `Links ${owner.uid} ${link.ownerAttribute} to ${target.uid}${inverse}.`,
    table: link.table,
    fields: [
      idLine(context, link.table),
      ...sourceLines(context, owner, link),
      columnLine(context.support, { ...column, kind: 'text' }, { modifier: '' }),
      foreignKeyLine(context, {
        relation,
        name: 'target',
        field: column.field,
        column: column.name,
        table: link.table,
        target: { model: documentModel, key: 'documentId' },
        onDelete: 'Cascade',
        optional: false,
      }),
      positionLine,
      ...(link.hasInversePosition
        ? [{ name: 'inversePosition', type: 'Float?', attributes: ['@map("inverse_position")'] }]
        : []),
      ...targetVersionLines(context, link),
    ],
    attributes: tableLinkIndexes(context, link),
  };
}

const morphTargetLines = (
  context: SchemaContext,
  owner: ContentType,
  link: MorphLink,
): readonly FieldLine[] =>
  link.targets.flatMap((target) => {
    const documentModel = defined(context.model.typesByUid[target.uid], `The type ${target.uid}`).storage
      .document.model;
    const relation = `${link.model}_${target.field}`;
    context.addBackRelation(
      documentModel,
      backRelationName(owner.storage.version.model, link.ownerAttribute),
      `${link.model}[]`,
      relation,
    );
    return [
      columnLine(
        context.support,
        { field: target.field, name: target.column, kind: 'text' },
        { modifier: '?' },
      ),
      foreignKeyLine(context, {
        relation,
        name: target.relationField,
        field: target.field,
        column: target.column,
        table: link.table,
        target: { model: documentModel, key: 'documentId' },
        onDelete: 'Cascade',
        optional: true,
      }),
    ];
  });

/** Returns the link table of a polymorphic relation: one nullable foreign key per possible target. */
export function morphLinkBlock(context: SchemaContext, owner: ContentType, link: MorphLink): ModelBlock {
  const { table } = link;
  return {
    name: link.model,
    comment:
      `Links ${owner.uid} ${link.ownerAttribute} to documents of several types; ` +
      'one target column is set in a row.',
    table,
    fields: [
      idLine(context, table),
      ...sourceLines(context, owner, link),
      positionLine,
      ...morphTargetLines(context, owner, link),
    ],
    attributes: [
      indexAttribute(context, {
        table,
        fields: ['sourceId', 'position'],
        columns: ['source_id', 'position'],
      }),
      ...link.targets.map((target) =>
        indexAttribute(context, { table, fields: [target.field], columns: [target.column] }),
      ),
    ],
  };
}
