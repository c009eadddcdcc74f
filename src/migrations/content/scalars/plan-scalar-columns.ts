import type { ContentType, Link } from '../../../model/model.js';
import { countRows, hasColumns, impactOn } from '../../impact/data-impact.js';
import type { DataImpact, Inspection } from '../../impact/data-impact.js';
import { joinClauses, quoteName } from '../../../database/dialect/sql-text.js';
import { renamedColumn, renamedTable } from '../../schema/renames.js';
import type { ContentPlanPart, ContentPlanRequest } from '../content-transition.js';
import { scalarInspections } from './inspect-scalar.js';
import { isMoved, listScalarChanges, tableAfter } from './scalar-change.js';
import { scalarStatements } from './scalar-sql.js';

/** Counts the documents that a type loses: all but `stay`. */
const countDocuments =
  ({ uid: type, storage }: ContentType, stay: number, reason: string, remedy: string | null): Inspection =>
  async (session) => {
    const { table } = storage.document;
    if (!(await hasColumns(session, table, []))) return [];
    const values = (await countRows(session, `FROM ${quoteName(table)}`)) - stay;
    return impactOn({ kind: 'dropped', type, path: null, reason, remedy }, { values, samples: [] });
  };

/** Returns the columns of a link that hold documents of a type. */
const columnsTo = (link: Link, uid: string): readonly string[] => {
  if (link.kind === 'morph')
    return link.targets.filter((target) => target.uid === uid).map(({ column }) => column);
  if (link.target !== uid) return [];
  return [link.kind === 'column' ? link.column : 'target_document_id'];
};

/** Returns the links that a type owns. */
const ownedLinksOf = (type: ContentType): readonly Link[] =>
  Object.values(type.attributes).flatMap((attribute) =>
    'link' in attribute &&
    attribute.link !== null &&
    attribute.link.owner === type.uid &&
    attribute.link.ownerAttribute === attribute.name
      ? [attribute.link]
      : [],
  );

/** Returns the tables that are dropped with a type: its tables, and those of the links that it owns. */
const tablesDroppedWith = (type: ContentType): readonly string[] => [
  type.storage.version.table,
  type.storage.document.table,
  ...ownedLinksOf(type).flatMap((link) => (link.kind === 'column' ? [] : [link.table])),
];

/**
 * Returns SQL of the document that stays when a collection becomes a single type. The API shows the oldest
 * published document, or else the oldest.
 */
const keptDocument = (versions: string): string =>
  joinClauses(
    `(SELECT m."document_id" FROM ${quoteName(versions)} AS m`,
    `ORDER BY CASE WHEN m."status" = 'published' THEN 0 ELSE 1 END, m."id" LIMIT 1)`,
  );

/** Deletes all documents of a type but one, and the links to them, since deletions do not cascade here. */
const keepOneDocument = (type: ContentType, { before, renames }: ContentPlanRequest): readonly string[] => {
  const table = (name: string): string => quoteName(renamedTable(name, renames));
  const column = (owner: string, name: string): string => quoteName(renamedColumn(owner, name, renames));
  const { version, document } = type.storage;
  const documents = table(document.table);
  const isGone = (reference: string): string =>
    `${reference} NOT IN (SELECT "document_id" FROM ${documents})`;
  const links = before.types.flatMap((owner) => ownedLinksOf(owner).map((link) => ({ owner, link })));
  const incoming = links.flatMap(({ owner, link }): readonly string[] => {
    const from = link.kind === 'column' ? owner.storage.version.table : link.table;
    return columnsTo(link, type.uid).map((name) => {
      const reference = column(from, name);
      return link.kind === 'column'
        ? `UPDATE ${table(from)} SET ${reference} = NULL WHERE ${isGone(reference)};`
        : `DELETE FROM ${table(from)} WHERE ${isGone(reference)};`;
    });
  });
  const outgoing = ownedLinksOf(type).flatMap((link) =>
    link.kind === 'column'
      ? []
      : [
          joinClauses(
            `DELETE FROM ${table(link.table)}`,
            `WHERE "source_id" NOT IN (SELECT "id" FROM ${table(version.table)});`,
          ),
        ],
  );
  const kept = keptDocument(renamedTable(version.table, renames));
  return [
    `DELETE FROM ${table(version.table)} WHERE "document_id" <> ${kept};`,
    joinClauses(
      `DELETE FROM ${documents}`,
      `WHERE "document_id" NOT IN (SELECT "document_id" FROM ${table(version.table)});`,
    ),
    ...outgoing,
    ...incoming,
  ];
};

/** Counts the links of other types to the documents that a single type drops. */
const countLostLinks =
  (type: ContentType, { before }: ContentPlanRequest): Inspection =>
  async (session) => {
    const { table } = type.storage.version;
    if (!(await hasColumns(session, table, []))) return [];
    const reason = 'the documents that they point at are dropped';
    const lost: DataImpact[] = [];
    for (const owner of before.types.filter(({ uid }) => uid !== type.uid))
      for (const link of ownedLinksOf(owner)) {
        const from = link.kind === 'column' ? owner.storage.version.table : link.table;
        for (const column of columnsTo(link, type.uid)) {
          if (!(await hasColumns(session, from, [column]))) continue;
          const source = `FROM ${quoteName(from)} WHERE ${quoteName(column)} <> ${keptDocument(table)}`;
          const place = { type: owner.uid, path: link.ownerAttribute, reason, remedy: null };
          const values = await countRows(session, source);
          lost.push(...impactOn({ kind: 'dropped', ...place }, { values, samples: [] }));
        }
      }
    return lost;
  };

const SINGLE_REASON = 'a single type has one document: the oldest published one stays';

/** Plans the removal of documents: those of removed types, and of collections that become single types. */
function planDocuments(
  request: ContentPlanRequest,
): Required<Omit<ContentPlanPart, 'statementsAfter' | 'statementsLast'>> {
  const { match, renames } = request;
  const removed = match.types.filter(({ after }) => after === null).map(({ before }) => before);
  const narrowed = match.types
    .filter(({ before, after }) => before.kind === 'collectionType' && after?.kind === 'singleType')
    .map(({ before }) => before);
  const droppedTables = new Set(
    removed.flatMap(tablesDroppedWith).map((table) => renamedTable(table, renames)),
  );
  return {
    statementsBefore: narrowed.flatMap((type) => keepOneDocument(type, request)),
    isCovered: (change) => change.kind === 'table' && droppedTables.has(change.table),
    inspections: [
      ...removed.map((type) => countDocuments(type, 0, 'the content-type is removed', null)),
      ...narrowed.map((type) => countDocuments(type, 1, SINGLE_REASON, 'keep it a collection type')),
      ...narrowed.map((type) => countLostLinks(type, request)),
    ],
  };
}

/** Plans the changes of documents, and of the scalar attributes of content-types. */
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
    change.kind === 'present' && isMoved(change)
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
