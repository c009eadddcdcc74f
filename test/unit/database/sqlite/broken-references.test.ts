import { describe, expect, it } from 'vitest';
import { findWrittenTables } from '../../../../src/database/sqlite/broken-references.js';

describe('the tables that a script of SQLite writes', () => {
  it.each([
    ['nothing', ''],
    ['comments', `-- DROP TABLE "a";\n-- it's\n`],
    ['indexes', `-- CreateIndex\nCREATE INDEX "a_idx" ON "a"("b;");\nCREATE UNIQUE INDEX "k" ON "a"("b")`],
    ['dropped indexes', 'DROP INDEX "a_b_idx";\n'],
    [
      'new tables',
      `CREATE TABLE "a" (\n  "b" TEXT DEFAULT 'x;y -- ''z''',\n  FOREIGN KEY ("b") REFERENCES "c" ("d")\n);`,
    ],
    [
      'new columns',
      `ALTER TABLE "a" ADD COLUMN "b" INTEGER DEFAULT -1;\nALTER TABLE "a" ADD COLUMN "c" TEXT;`,
    ],
    ['savepoints', 'SAVEPOINT one'],
  ])('are none for %s', (_what, script) => {
    expect(findWrittenTables(script)).toEqual([]);
  });

  it('are those that its statements name', () => {
    const script = `INSERT INTO "a" VALUES ('DROP b;');\nUPDATE c SET d = 1; DELETE FROM "e" WHERE f = 1`;
    expect(findWrittenTables(script)).toEqual(['a', 'c', 'e']);
  });

  it.each([
    ['dropped tables', 'DROP TABLE "a";'],
    ['renamed tables', 'ALTER TABLE "new_a" RENAME TO "a";'],
    ['new columns with a reference', `ALTER TABLE "a" ADD COLUMN "b" TEXT DEFAULT ';' REFERENCES "c" ("d");`],
    ['dropped keys', 'DROP INDEX "a_b_key";'],
    ['replaced rows', 'INSERT OR REPLACE INTO "a" VALUES (1);'],
    ['updates that may replace rows', 'UPDATE OR REPLACE "a" SET "b" = 1;'],
    ['tables of a named schema', 'DELETE FROM main."a";\nUPDATE "main" . a SET b = 1;'],
    ['statements with a preface', 'WITH b AS (SELECT 1) DELETE FROM "a";'],
    ['triggers', 'CREATE TRIGGER "t" AFTER INSERT ON "a" BEGIN DELETE FROM "b"; END;'],
    ['settings', 'PRAGMA writable_schema = ON;'],
    [
      'what follows an apostrophe in a comment',
      `CREATE INDEX "i" ON "a"("b") -- it's\n; DROP TABLE "a"; -- it's\n`,
    ],
    [
      'what follows an apostrophe in other comments',
      `CREATE TABLE a (b /* it's */); DROP TABLE c; /* it's */`,
    ],
    [
      'what follows an apostrophe in other quotes',
      "CREATE TABLE `it's` (b); DROP TABLE c; CREATE TABLE `it's` (b);",
    ],
    ['what follows a comment', 'CREATE INDEX "i" ON "a"("b"); -- CREATE TABLE\nDROP TABLE "a";'],
  ])('are unknown for %s', (_what, script) => {
    expect(findWrittenTables(script)).toBeNull();
  });
});
