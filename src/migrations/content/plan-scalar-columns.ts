import type { ContentPlanPart, ContentPlanRequest } from './content-plan.js';
import { planDocuments } from './documents/plan-documents.js';
import { isMoved, listScalarChanges, tableAfter } from './scalars/scalar-change.js';
import { scalarStatements } from './scalars/scalar-sql.js';
import { scalarInspections } from './scalars/inspect-scalar.js';

/**
 * Plans what becomes of scalar attributes of content-types, which stand in columns of their own, and of
 * documents as a whole.
 */
export function planScalarColumns(request: ContentPlanRequest): ContentPlanPart {
  const changes = listScalarChanges(request);
  const statements = scalarStatements(changes, request);
  const documents = planDocuments(request);
  const dropped = changes.flatMap((change) => {
    const table = tableAfter(change, request);
    if (change.kind === 'removed') return [{ table, column: change.column }];
    return change.from !== null && change.from.column !== change.attribute.column.name
      ? [{ table, column: change.from.column }]
      : [];
  });
  const changed = changes.flatMap((change) =>
    change.kind === 'kept' && isMoved(change)
      ? [{ table: tableAfter(change, request), column: change.attribute.column.name }]
      : [],
  );
  const covered = [...dropped, ...changed];
  return {
    statementsBefore: [...documents.statementsBefore, ...statements.before],
    statementsAfter: statements.after,
    isCovered: (change) =>
      documents.isCovered(change) ||
      ((change.kind === 'type' || change.kind === 'column') &&
        covered.some(({ table, column }) => table === change.table && column === change.column)),
    inspections: [...documents.inspections, ...scalarInspections(changes, request)],
  };
}
