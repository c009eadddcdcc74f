// Applies the pending migrations of a folder, and kills itself after a number of statements that write.
// Prints how many there were, where it comes to the end.
//
//     node apply-until.mjs sqlite file:/…/data.db /…/prisma/migrations 12
import type { DialectName } from '../../../src/database/dialect/dialect.js';
import { getDialect } from '../../../src/database/get-dialect.js';
import type { MigrationSession } from '../../../src/database/dialect/migration-support.js';
import { applyMigrations } from '../../../src/migrations/apply/apply-migrations.js';

const [, , dialectName = '', url = '', folder = '', lastStatement] = process.argv;

let statements = 0;

const countStatement = (): void => {
  statements++;
  if (statements === Number(lastStatement)) process.kill(process.pid, 'SIGKILL');
};

/** The statements of a script. Those of this test have no semicolon at the end of a line inside. */
const split = (script: string): readonly string[] =>
  script.split(/;\s*(?:\n|$)/).filter((statement) => /^\s*(?!--)\S/m.test(statement));

const countingSession = (session: MigrationSession): MigrationSession => ({
  ...session,
  get file() {
    return session.file;
  },
  script: async (script) => {
    for (const statement of split(script)) {
      await session.script(statement);
      countStatement();
    }
  },
  query: async (sql, parameters) => {
    const rows = await session.query(sql, parameters);
    if (!/^\s*SELECT\b/i.test(sql)) countStatement();
    return rows;
  },
  runExclusive: async (work) => {
    const result = await session.runExclusive(work);
    countStatement();
    return result;
  },
});

const dialect = getDialect(dialectName as DialectName);
const openSession: typeof dialect.migrations.openSession = async (...options) =>
  countingSession(await dialect.migrations.openSession(...options));
await applyMigrations({
  folder,
  url,
  dialect: { ...dialect, migrations: { ...dialect.migrations, openSession } },
  acceptsDataLoss: true,
  acceptsInvalid: true,
});
process.stdout.write(String(statements));
