import { describe, expect, it } from 'vitest';
import { getDialect } from '../../../../src/database/get-dialect.js';
import { compileDocumentTable, linkColumns } from '../../../../src/documents/write/version-statements.js';
import { readStored } from '../../../../src/database/table.js';
import { compileTable } from '../../../../src/documents/write/table-statements.js';
import type { Column, MorphLink, TableLink } from '../../../../src/model/model.js';

const COLUMNS: readonly Column[] = [
  { name: 'title', field: 'title', kind: 'text' },
  { name: 'starts_at', field: 'startsAt', kind: 'datetime' },
  { name: 'select', field: 'select_', kind: 'json' },
];
const NOON = new Date('2026-01-02T12:00:00.000Z');

const [sqlite, postgres] = [getDialect('sqlite').expressions, getDialect('postgresql').expressions];

describe('the writing statements of a table', () => {
  const [lite, post] = [compileTable(sqlite, 'a_table', COLUMNS), compileTable(postgres, 'a_table', COLUMNS)];

  it('insert all rows in one statement, with null for missing values', () => {
    const rows = [
      { title: 'one', select_: { b: 1, a: [null] }, unknown: 1 },
      { title: null, startsAt: NOON, select_: null },
    ];
    const parameters = ['one', null, '{"b":1,"a":[null]}', null, NOON, null];
    expect(lite.insert(rows)).toEqual({
      sql: 'insert into "a_table" ("title", "starts_at", "select") values (?, ?, ?), (?, ?, ?)',
      parameters,
    });
    expect(post.insert(rows, ['id', 'title'])).toEqual({
      sql:
        'insert into "a_table" ("title", "starts_at", "select") values ($1, $2, $3), ($4, $5, $6)' +
        ' returning "id", "title"',
      parameters,
    });
  });

  it('update only the given columns, in the order of the table', () => {
    const values = { select_: 'text', title: null };
    expect(lite.update([7, 8], values)).toEqual({
      sql: 'update "a_table" set "title" = ?, "select" = ? where id in (select value from json_each(+?))',
      parameters: [null, '"text"', '[7,8]'],
    });
    expect(post.update([7, 8], values)).toEqual({
      sql: 'update "a_table" set "title" = $1, "select" = $2 where id = any($3::bigint[])',
      parameters: [null, '"text"', '{"7","8"}'],
    });
  });

  it('delete by id', () => {
    expect(lite.delete([1])).toEqual({
      sql: 'delete from "a_table" where id in (select value from json_each(+?))',
      parameters: ['[1]'],
    });
  });

  it('have the same text for the same columns and number of rows', () => {
    const texts = [
      lite.insert([{ title: 'a' }]),
      lite.insert([{ startsAt: NOON }]),
      lite.insert([{}, {}]),
      lite.insert([{}], ['id']),
    ].map(({ sql }) => sql);
    expect(texts[0]).toBe(texts[1]);
    expect(new Set(texts).size).toBe(3);
    expect(lite.update([1], { title: 'a' }).sql).not.toBe(lite.update([1], { startsAt: NOON }).sql);
  });

  it('limit the rows by the number of bound parameters', () => {
    const wide = Array.from({ length: 100 }, (_, index): Column => ({
      name: `c${index}`,
      field: `c${index}`,
      kind: 'text',
    }));
    for (const expressions of [sqlite, postgres]) {
      const { maxRows } = compileTable(expressions, 'wide', wide);
      expect(maxRows * wide.length).toBeLessThanOrEqual(expressions.maxParameters);
      expect(maxRows).toBeGreaterThan(300);
    }
  });
});

describe('the statements of a document table', () => {
  it('increment the revision of every given document, and return those that exist', () => {
    expect(compileDocumentTable(sqlite, 'tags_documents').lock(['a', 'b'])).toEqual({
      sql:
        'update "tags_documents" set revision = revision + 1' +
        ' where document_id in (select value from json_each(+?)) returning document_id',
      parameters: ['["a","b"]'],
    });
    expect(compileDocumentTable(postgres, 'tags_documents').lock(['a'])).toEqual({
      sql:
        'update "tags_documents" set revision = revision + 1' +
        ' where document_id = any($1::text[]) returning document_id',
      parameters: ['{"a"}'],
    });
  });
});

describe('the columns of a link table', () => {
  const base = {
    owner: 'a',
    ownerAttribute: 'b',
    inverseAttribute: null,
    exclusive: false,
    table: 't',
    model: 'T',
    ownerMany: true,
  };
  const names = (link: TableLink | MorphLink): readonly string[] =>
    linkColumns(link).map(({ name, field }) => `${name} ${field}`);

  it('are those that the link has', () => {
    const plain: TableLink = {
      ...base,
      kind: 'table',
      target: 'c',
      hasInversePosition: false,
      hasTargetStatus: false,
      hasTargetLocale: false,
    };
    const always = ['source_id sourceId', 'target_document_id targetDocumentId', 'position position'];
    expect(names(plain)).toEqual(always);
    expect(
      names({ ...plain, hasInversePosition: true, hasTargetStatus: true, hasTargetLocale: true }),
    ).toEqual([
      ...always,
      'inverse_position inversePosition',
      'target_status targetStatus',
      'target_locale targetLocale',
    ]);
    const targets = ['x', 'y'].map((uid) => ({
      uid,
      column: `${uid}_document_id`,
      field: `${uid}DocumentId`,
      relationField: uid,
      inverseAttribute: null,
    }));
    expect(names({ ...base, kind: 'morph', targets })).toEqual([
      'source_id sourceId',
      'x_document_id xDocumentId',
      'y_document_id yDocumentId',
      'position position',
    ]);
  });
});

describe('values from raw statements', () => {
  it('are read from the forms that both drivers have', () => {
    expect([
      readStored('boolean', 1),
      readStored('boolean', 0),
      readStored('boolean', true),
      readStored('boolean', false),
    ]).toEqual([true, false, true, false]);
    expect([readStored('bigint', 5), readStored('bigint', '9007199254740993')]).toEqual([
      5n,
      9_007_199_254_740_993n,
    ]);
    expect([
      readStored('datetime', '2026-01-02T12:00:00.000+00:00'),
      readStored('json', '{"b":[1]}'),
      readStored('json', 'null'),
    ]).toEqual([NOON, { b: [1] }, null]);
    expect([
      readStored('double', 4.5),
      readStored('integer', 4),
      readStored('text', 'x'),
      readStored('json', null),
    ]).toEqual([4.5, 4, 'x', null]);
  });
});
