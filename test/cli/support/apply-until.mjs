// Applies the pending migrations of a folder with the built program, and kills itself after a number of statements
// that write. Prints how many there were, where it comes to the end.
//
//     node apply-until.mjs <folder of the package> sqlite file:/…/data.db /…/prisma/migrations 12
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , root, dialectName, url, folder, lastStatement] = process.argv;

const load = (path) => import(pathToFileURL(join(root, 'dist', path)).href);
const { getDialect } = await load('dialects/get-dialect.js');
const { applyMigrations } = await load('migrations/apply/apply-migrations.js');

let statements = 0;

const countStatement = () => {
  statements++;
  if (statements === Number(lastStatement)) process.kill(process.pid, 'SIGKILL');
};

/** The statements of a script. Those of this test have no semicolon at the end of a line inside. */
const split = (script) => script.split(/;\s*(?:\n|$)/).filter((statement) => /^\s*(?!--)\S/m.test(statement));

const countingSession = (session) => ({
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

const dialect = getDialect(dialectName);
const openSession = async (...options) => countingSession(await dialect.migrations.openSession(...options));
await applyMigrations({
  folder,
  url,
  dialect: { ...dialect, migrations: { ...dialect.migrations, openSession } },
  acceptsDataLoss: true,
  acceptsMisfits: true,
});
process.stdout.write(String(statements));
