import type { Dialect } from '../../dialects/dialect.js';
import type { Column, MorphLink, TableLink } from '../../model/model.js';
import { compileTable } from './table-statements.js';
import type { TableStatements } from './table-statements.js';

const targetColumns = (link: TableLink | MorphLink): readonly Column[] => {
  if (link.kind === 'morph') return link.targets.map(({ column, field }) => ({ name: column, field, kind: 'text' }));
  return [{ name: 'target_document_id', field: 'targetDocumentId', kind: 'text' }];
};

const stateColumns = (link: TableLink): readonly Column[] => [
  ...(link.hasInversePosition ? [{ name: 'inverse_position', field: 'inversePosition', kind: 'integer' } as const] : []),
  ...(link.hasTargetStatus ? [{ name: 'target_status', field: 'targetStatus', kind: 'text' } as const] : []),
  ...(link.hasTargetLocale ? [{ name: 'target_locale', field: 'targetLocale', kind: 'text' } as const] : []),
];

/** All columns of a link table but its `id`. */
export function linkColumns(link: TableLink | MorphLink): readonly Column[] {
  return [
    { name: 'source_id', field: 'sourceId', kind: 'integer' },
    ...targetColumns(link),
    { name: 'position', field: 'position', kind: 'integer' },
    ...(link.kind === 'table' ? stateColumns(link) : []),
  ];
}

/** Compiles the statements of a link table; none is executed here. */
export function compileLinkTable(dialect: Dialect, link: TableLink | MorphLink): TableStatements {
  return compileTable(dialect, link.table, linkColumns(link));
}
