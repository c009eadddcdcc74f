import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Link } from '../../../../src/model/model.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { SHARED } from './project.js';

/** A rule about stored rows, and a query that returns the rows which violate it. */
interface TableRule {
  readonly rule: string;
  readonly rows: RawBuilder<unknown>;
}

type Types = TestEnvironment['model']['types'];

const table = ({ storage }: Types[number]): RawBuilder<unknown> => sql.id(storage.version.table);

const versionRules = (type: Types[number]): readonly TableRule[] => {
  const { uid, draftAndPublish, localized, storage } = type;
  const documentTable = sql.id(storage.document.table);
  return [
    {
      rule: `${uid}: one version per document, locale and status`,
      rows: sql`select document_id from ${table(type)}
        group by document_id, locale, status having count(*) > 1`,
    },
    {
      rule: `${uid}: every document has a version`,
      rows: sql`select document_id from ${documentTable}
        where document_id not in (select document_id from ${table(type)})`,
    },
    {
      rule: `${uid}: every version has a document`,
      rows: sql`select document_id from ${table(type)}
        where document_id not in (select document_id from ${documentTable})`,
    },
    {
      rule: `${uid}: locales`,
      rows: sql`select document_id from ${table(type)}
        where ${localized ? sql`locale not in ('en', 'fr')` : sql`locale <> ''`}`,
    },
    {
      rule: `${uid}: statuses`,
      rows: draftAndPublish
        ? sql`select p.document_id from ${table(type)} as p
            where p.status = 'published' and not exists (
              select 1 from ${table(type)} as d
              where d.status = 'draft' and d.document_id = p.document_id and d.locale = p.locale
            )`
        : sql`select document_id from ${table(type)} where status <> 'published'`,
    },
    {
      rule: `${uid}: times`,
      rows: sql`select document_id from ${table(type)}
        where (status = 'draft') <> (published_at is null) or updated_at < created_at`,
    },
  ];
};

const sharedColumns = ({ localized, attributes }: Types[number]): readonly string[] =>
  !localized
    ? []
    : Object.values(attributes).flatMap((attribute) => {
        if (!SHARED.has(attribute.name)) return [];
        if ('column' in attribute) return [attribute.column.name];
        return attribute.link?.kind === 'column' ? [attribute.link.column] : [];
      });

const sharedRules = (type: Types[number]): readonly TableRule[] =>
  sharedColumns(type).map((name) => ({
    rule: `${type.uid}: ${name} is the same in all locales`,
    rows: sql`select document_id from ${table(type)} group by document_id, status
      having count(distinct coalesce(cast(${sql.id(name)} as text), '-')) > 1`,
  }));

const linkColumns = (link: Link): readonly string[] => {
  if (link.kind === 'morph') return link.targets.map(({ column }) => column);
  return link.kind === 'table' ? ['target_document_id'] : [link.column];
};

const targetsOf = (link: Link): readonly string[] =>
  link.kind === 'morph' ? link.targets.map(({ uid }) => uid) : [link.target];

/** Returns the columns that identify an owner's list, within which positions are unique. */
const listKey = (link: Link): readonly string[] =>
  link.kind === 'table'
    ? [
        'source_id',
        ...(link.hasTargetStatus ? ['target_status'] : []),
        ...(link.hasTargetLocale ? ['target_locale'] : []),
      ]
    : ['source_id'];

const linkRules = (
  testEnvironment: TestEnvironment,
  owner: Types[number],
  link: Link,
): readonly TableRule[] => {
  const name = `${owner.uid} ${link.ownerAttribute}`;
  const from = sql.id(link.kind === 'column' ? owner.storage.version.table : link.table);
  const dangling = linkColumns(link).map((column, index): TableRule => {
    const target = testEnvironment.model.typesByUid[targetsOf(link)[index] ?? ''];
    assert.ok(target !== undefined);
    return {
      rule: `${name}: every link points at a document`,
      rows: sql`select ${sql.id(column)} from ${from}
        where ${sql.id(column)} is not null
          and ${sql.id(column)} not in (select document_id from ${sql.id(target.storage.document.table)})`,
    };
  });
  if (link.kind === 'column') return dangling;
  const ids = (columns: readonly string[]): RawBuilder<unknown> =>
    sql.join(columns.map((column) => sql.id(column)));
  const targetColumns = link.kind === 'morph' ? linkColumns(link) : ['target_document_id'];
  return [
    ...dangling,
    {
      rule: `${name}: every link belongs to a version`,
      rows: sql`select source_id from ${from}
        where source_id not in (select id from ${sql.id(owner.storage.version.table)})`,
    },
    {
      rule: `${name}: no two links have the same position`,
      rows: sql`select source_id from ${from}
        group by ${ids([...listKey(link), 'position'])} having count(*) > 1`,
    },
    {
      rule: `${name}: no document is linked twice`,
      rows: sql`select source_id from ${from}
        group by ${ids([...listKey(link), ...targetColumns])} having count(*) > 1`,
    },
    {
      rule: `${name}: every link has a position`,
      rows: sql`select source_id from ${from} where position is null`,
    },
  ];
};

const tableRules = (testEnvironment: TestEnvironment): readonly TableRule[] =>
  testEnvironment.model.types
    .filter(({ origin }) => origin === 'project')
    .flatMap((type) => {
      const links = Object.values(type.attributes).flatMap((attribute) =>
        'link' in attribute && attribute.link !== null && attribute.side === 'owner'
          ? linkRules(testEnvironment, type, attribute.link)
          : [],
      );
      return [...versionRules(type), ...sharedRules(type), ...links];
    });

/** Returns a function that returns the violated rules, which must be none after every operation. */
export const createTableRules = (testEnvironment: TestEnvironment): (() => Promise<readonly string[]>) => {
  const rules = tableRules(testEnvironment);
  const queries = rules.map(
    ({ rows }, index) =>
      sql`select ${sql.lit(index)} as rule, count(*) as found from (${rows}) as ${sql.id(`f${index}`)}`,
  );
  // SQLite joins 500 selects at most.
  const { sql: text, parameters } =
    sql`select rule, found from (${sql.join(queries, sql` union all `)}) as faults where found > 0`.compile(
      testEnvironment.dialect.expressions.kysely,
    );
  return () =>
    testEnvironment.database.transact(async (tx) =>
      (await tx.query(text, parameters)).map(
        (row) => `${rules[Number(row['rule'])]?.rule ?? ''} (${String(row['found'])})`,
      ),
    );
};

/** Returns the revision of every document by its id. */
export const readRevisions = async (
  testEnvironment: TestEnvironment,
): Promise<ReadonlyMap<string, number>> => {
  const documentTables = testEnvironment.model.types
    .filter(({ origin }) => origin === 'project')
    .map(({ storage }) => sql`select document_id, revision from ${sql.id(storage.document.table)}`);
  const { sql: text, parameters } = sql`${sql.join(documentTables, sql` union all `)}`.compile(
    testEnvironment.dialect.expressions.kysely,
  );
  return testEnvironment.database.transact(
    async (tx) =>
      new Map(
        (await tx.query(text, parameters)).map((row) => [
          String(row['document_id']),
          Number(row['revision']),
        ]),
      ),
  );
};
