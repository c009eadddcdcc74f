// Publishes a release, and kills itself after a number of statements. Prints how many there were, where it
// comes to the end.
//
//     node publish-until.mjs sqlite file:/…/data.db {"types":…} spring 12
import type { DialectName } from '../../../../src/database/dialect/dialect.js';
import { getDialect } from '../../../../src/database/get-dialect.js';
import { openDatabase } from '../../../../src/database/open-database.js';
import { createDocumentService } from '../../../../src/documents/create-document-service.js';
import { createReleases } from '../../../../src/documents/releases/releases.js';
import { modelFrom } from '../../../support/models.js';
import type { ProjectLiteral } from '../../../support/models.js';
import { observeStatements } from '../service.js';

const [, , dialectName = '', url = '', literal = '', name = '', lastStatement] = process.argv;

const model = modelFrom(JSON.parse(literal) as ProjectLiteral);
const opened = await openDatabase({
  dialect: getDialect(dialectName as DialectName),
  url,
  loadClient: () => Promise.reject(new Error('A release needs no client')),
});
let statements = 0;
const database = observeStatements(opened, async () => {
  statements += 1;
  if (statements === Number(lastStatement)) process.kill(process.pid, 'SIGKILL');
});
const locales = { defaultCode: () => 'en', has: (code: string) => code === 'en' };
const documents = createDocumentService({ model, database, locales });
await createReleases({ model, database, documents, locales }).publish(name);
await opened.close();
process.stdout.write(String(statements));
