import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import type { Column, MorphLink, TableLink } from '../../model/model.js';
import { compileTable } from './table-statements.js';
import type { TableStatements } from './table-statements.js';

const targetColumns = (link: TableLink | MorphLink): readonly Column[] => {
  if (link.kind === 'morph')
    return link.targets.map(({ column, field }) => ({ name: column, field, kind: 'text' }));
  return [{ name: 'target_document_id', field: 'targetDocumentId', kind: 'text' }];
};

const stateColumns = (link: TableLink): readonly Column[] => [
  ...(link.hasInversePosition
    ? [{ name: 'inverse_position', field: 'inversePosition', kind: 'double' } as const]
    : []),
  ...(link.hasTargetStatus ? [{ name: 'target_status', field: 'targetStatus', kind: 'text' } as const] : []),
  ...(link.hasTargetLocale ? [{ name: 'target_locale', field: 'targetLocale', kind: 'text' } as const] : []),
];

/** Returns all columns of a link table except its `id`. */
export function linkColumns(link: TableLink | MorphLink): readonly Column[] {
  return [
    { name: 'source_id', field: 'sourceId', kind: 'integer' },
    ...targetColumns(link),
    { name: 'position', field: 'position', kind: 'double' },
    ...(link.kind === 'table' ? stateColumns(link) : []),
  ];
}

/** Compiles the statements of a link table. */
export function compileLinkTable(expressions: SqlExpressions, link: TableLink | MorphLink): TableStatements {
  return compileTable(expressions, link.table, linkColumns(link));
}
