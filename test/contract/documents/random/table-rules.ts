import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Link } from '../../../../src/model/model.js';
import type { World } from '../../../support/world.js';
import { SHARED } from './project.js';

/** A question to the tables that must have no answer. */
interface Fault {
  readonly rule: string;
  readonly rows: RawBuilder<unknown>;
}

type Types = World['model']['types'];

const table = ({ storage }: Types[number]): RawBuilder<unknown> => sql.id(storage.version.table);

const versionFaults = (type: Types[number]): readonly Fault[] => {
  const { uid, draftAndPublish, localized, storage } = type;
  const anchor = sql.id(storage.anchor.table);
  return [
    { rule: `${uid}: one version per document, locale and status`, rows: sql`select document_id from ${table(type)} group by document_id, locale, status having count(*) > 1` },
    { rule: `${uid}: every document has a version`, rows: sql`select document_id from ${anchor} where document_id not in (select document_id from ${table(type)})` },
    { rule: `${uid}: every version has a document`, rows: sql`select document_id from ${table(type)} where document_id not in (select document_id from ${anchor})` },
    { rule: `${uid}: locales`, rows: sql`select document_id from ${table(type)} where ${localized ? sql`locale not in ('en', 'fr')` : sql`locale <> ''`}` },
    {
      rule: `${uid}: statuses`,
      rows: draftAndPublish
        ? sql`select p.document_id from ${table(type)} as p where p.status = 'published' and not exists (select 1 from ${table(type)} as d where d.status = 'draft' and d.document_id = p.document_id and d.locale = p.locale)`
        : sql`select document_id from ${table(type)} where status <> 'published'`,
    },
    { rule: `${uid}: times`, rows: sql`select document_id from ${table(type)} where (status = 'draft') <> (published_at is null) or updated_at < created_at` },
  ];
};

const sharedColumns = ({ localized, attributes }: Types[number]): readonly string[] =>
  !localized ? [] : Object.values(attributes).flatMap((attribute) => {
    if (!SHARED.has(attribute.name)) return [];
    if ('column' in attribute) return [attribute.column.name];
    return attribute.link?.kind === 'column' ? [attribute.link.column] : [];
  });

const sharedFaults = (type: Types[number]): readonly Fault[] => sharedColumns(type).map((name) => ({
  rule: `${type.uid}: ${name} is the same in all locales`,
  rows: sql`select document_id from ${table(type)} group by document_id, status having count(distinct coalesce(cast(${sql.id(name)} as text), '-')) > 1`,
}));

const linkColumns = (link: Link): readonly string[] => {
  if (link.kind === 'morph') return link.targets.map(({ column }) => column);
  return link.kind === 'table' ? ['target_document_id'] : [link.column];
};

const targetsOf = (link: Link): readonly string[] => (link.kind === 'morph' ? link.targets.map(({ uid }) => uid) : [link.target]);

/** What a place in the owner's list is counted apart by. */
const listKey = (link: Link): readonly string[] =>
  link.kind === 'table' ? ['source_id', ...(link.hasTargetStatus ? ['target_status'] : []), ...(link.hasTargetLocale ? ['target_locale'] : [])] : ['source_id'];

const linkFaults = (world: World, owner: Types[number], link: Link): readonly Fault[] => {
  const name = `${owner.uid} ${link.ownerAttribute}`;
  const from = sql.id(link.kind === 'column' ? owner.storage.version.table : link.table);
  const dangling = linkColumns(link).map((column, index): Fault => {
    const target = world.model.typesByUid[targetsOf(link)[index] ?? ''];
    assert.ok(target !== undefined);
    return { rule: `${name}: nothing dangles`, rows: sql`select ${sql.id(column)} from ${from} where ${sql.id(column)} is not null and ${sql.id(column)} not in (select document_id from ${sql.id(target.storage.anchor.table)})` };
  });
  if (link.kind === 'column') return dangling;
  const ids = (columns: readonly string[]): RawBuilder<unknown> => sql.join(columns.map((column) => sql.id(column)));
  const ends = link.kind === 'morph' ? linkColumns(link) : ['target_document_id'];
  return [
    ...dangling,
    { rule: `${name}: rows have their version`, rows: sql`select source_id from ${from} where source_id not in (select id from ${sql.id(owner.storage.version.table)})` },
    { rule: `${name}: two in one place`, rows: sql`select source_id from ${from} group by ${ids([...listKey(link), 'position'])} having count(*) > 1` },
    { rule: `${name}: one linked twice`, rows: sql`select source_id from ${from} group by ${ids([...listKey(link), ...ends])} having count(*) > 1` },
    { rule: `${name}: places count from 1`, rows: sql`select source_id from ${from} where position is null or position < 1` },
  ];
};

const faultsOf = (world: World): readonly Fault[] => world.model.types.filter(({ origin }) => origin === 'project').flatMap((type) => {
  const links = Object.values(type.attributes).flatMap((attribute) => ('link' in attribute && attribute.link !== null && attribute.side === 'owner' ? linkFaults(world, type, attribute.link) : []));
  return [...versionFaults(type), ...sharedFaults(type), ...links];
});

/** Compiles what must hold in the tables after every operation, whatever was done. */
export const createTableRules = (world: World): (() => Promise<readonly string[]>) => {
  const faults = faultsOf(world);
  const parts = faults.map(({ rows }, index) => sql`select ${sql.lit(index)} as rule, count(*) as found from (${rows}) as ${sql.id(`f${index}`)}`);
  // SQLite joins 500 selects at most.
  const { sql: text, parameters } = sql`select rule, found from (${sql.join(parts, sql` union all `)}) as faults where found > 0`.compile(world.dialect.kysely);
  return () => world.database.transact(async (tx) => (await tx.query(text, parameters)).map((row) => `${faults[Number(row['rule'])]?.rule ?? ''} (${String(row['found'])})`));
};

/** Every document's revision, by its id. */
export const readRevisions = async (world: World): Promise<ReadonlyMap<string, number>> => {
  const anchors = world.model.types.filter(({ origin }) => origin === 'project').map(({ storage }) => sql`select document_id, revision from ${sql.id(storage.anchor.table)}`);
  const { sql: text, parameters } = sql`${sql.join(anchors, sql` union all `)}`.compile(world.dialect.kysely);
  return world.database.transact(async (tx) => new Map((await tx.query(text, parameters)).map((row) => [String(row['document_id']), Number(row['revision'])])));
};
