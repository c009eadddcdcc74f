import type { ContentModel, ContentType, Link } from '../../../model/model.js';
import { joinTableOf } from '../../../transfer/strapi/layout.js';
import type { JoinTable } from '../../../transfer/strapi/layout.js';

/** A link table of Strapi's database, as a query on the tables that store the links here. */
interface LinkTable {
  readonly name: string;
  readonly query: string;
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const recordOf = ({ uid, collectionName, singularName }: ContentType) => ({
  uid,
  collectionName,
  modelName: singularName,
  modelType: 'contentType' as const,
  attributes: {},
});

/** Returns the condition that selects the target's version with the owner's status and locale. */
const sameVersion = (owner: ContentType, target: ContentType, link: Link): string => {
  const isTable = link.kind === 'table';
  const status =
    isTable && link.hasTargetStatus ? 'l."target_status"' : owner.draftAndPublish ? 'o."status"' : '';
  const locale = isTable && link.hasTargetLocale ? 'l."target_locale"' : owner.localized ? 'o."locale"' : '';
  return [
    target.draftAndPublish && status !== '' ? ` and t."status" = ${status}` : '',
    target.localized && locale !== '' ? ` and t."locale" = ${locale}` : '',
  ].join('');
};

const columnsOf = (link: Link, { owner, target, order, inverseOrder }: JoinTable): string => {
  const id = link.kind === 'table' ? 'l."id"' : 'o."id"';
  const position = link.kind === 'table' ? 'l."position"' : '1';
  const inversePosition =
    link.kind === 'table' && link.hasInversePosition
      ? 'l."inverse_position"'
      : link.kind === 'column' && link.position !== null
        ? `o.${quote(link.position.column)}`
        : '1';
  const named: readonly (readonly [string, string])[] = [
    [id, 'id'],
    ['o."id"', owner],
    ['t."id"', target],
    [position, order],
    ...(order === inverseOrder ? [] : [[inversePosition, inverseOrder] as const]),
  ];
  return named.map(([expression, name]) => `${expression} as ${quote(name)}`).join(', ');
};

const linkTable = (model: ContentModel, owner: ContentType, name: string): LinkTable | null => {
  const attribute = owner.attributes[name];
  if (attribute?.family !== 'relation' || attribute.side !== 'owner' || attribute.target === null)
    return null;
  const { link, relation } = attribute;
  const target = model.typesByUid[attribute.target];
  if (target === undefined || link === null || link.kind === 'morph') return null;
  const join = joinTableOf(recordOf(owner), name, relation, recordOf(target));
  const source = quote(owner.storage.version.table);
  const versions = quote(target.storage.version.table);
  const from =
    link.kind === 'column'
      ? `${source} o join ${versions} t on t."document_id" = o.${quote(link.column)}`
      : `${source} o join ${quote(link.table)} l on l."source_id" = o."id" ` +
        `join ${versions} t on t."document_id" = l."target_document_id"`;
  return {
    name: join.table,
    query: `select ${columnsOf(link, join)} from ${from}${sameVersion(owner, target, link)}`,
  };
};

const tablesOf = (model: ContentModel): readonly LinkTable[] =>
  model.types.flatMap((type) =>
    Object.keys(type.attributes).flatMap((name) => linkTable(model, type, name) ?? []),
  );

const READS = /^\s*(?:select|with)\b/i;
const WITH = /^\s*with\s+(?:recursive\s+)?/i;

/**
 * Creates a function that adds the link tables that a reading statement names as common table expressions.
 * Statements that write to link tables are not changed, and fail.
 */
export function createLinkTables(model: ContentModel): (statement: string) => string {
  let known: readonly LinkTable[] | undefined;
  return (statement) => {
    if (!statement.includes('_lnk') || !READS.test(statement)) return statement;
    known ??= tablesOf(model);
    const named = known.filter(({ name }) => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(statement));
    if (named.length === 0) return statement;
    const tables = named.map(({ name, query }) => `${quote(name)} as (${query})`).join(', ');
    return WITH.test(statement)
      ? statement.replace(WITH, (start) => `${start}${tables}, `)
      : `with ${tables} ${statement}`;
  };
}
