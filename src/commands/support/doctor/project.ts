import { diffGenerated, printProjectSchema } from '../../../app/generated-files.js';
import { previewProjectMigration, projectMigrationStatus } from '../../../app/migrate-project.js';
import { printProblem } from '../../../app/open-project.js';
import type { Project } from '../../../app/open-project.js';
import { redactUrl } from '../../../lib/redact-url.js';
import { isClientCurrent } from '../../../migrations/load-client.js';
import { isUpToDate } from '../../../migrations/status.js';
import { broken, ok, warning } from './check.js';
import type { Finding } from './check.js';

export async function examineTypes(project: Project): Promise<readonly Finding[]> {
  const own = project.model.types.filter(({ origin }) => origin === 'project').length;
  const doubts = project.warnings.map((problem) => warning('content-types', printProblem(problem), `Look at ${problem.file}.`));
  return [ok('content-types', `${own} content-types, ${project.model.components.length} components`), ...doubts];
}

/** Whether the database answers, and has all the tables that the content-types ask for. */
export async function examineDatabase(project: Project): Promise<readonly Finding[]> {
  const status = await projectMigrationStatus(project);
  if (!isUpToDate(status)) {
    const counts = (['pending', 'failed', 'edited', 'missing'] as const).filter((key) => status[key].length > 0).map((key) => `${status[key].length} ${key}`);
    return [broken('database', `Migrations: ${counts.join(', ')}.`, 'See: cms migrate status')];
  }
  const { sql } = await previewProjectMigration(project);
  return [sql === '' ? ok('database', `${redactUrl(project.config.database.url)} is up to date`) : broken('database', 'The content-types have changes that no migration makes.', 'Run: cms migrate')];
}

export async function examineGenerated(project: Project): Promise<readonly Finding[]> {
  const changes = await diffGenerated(project);
  const isCurrent = await isClientCurrent({ dir: project.paths.client, schemaText: await printProjectSchema(project) });
  if (changes.length > 0) return [broken('generated', `Not up to date: ${changes.map(({ path }) => path).join(', ')}.`, 'Run: cms generate')];
  return [isCurrent ? ok('generated', 'Prisma schema, client and types are up to date') : warning('generated', 'The Prisma client is missing or old.', 'Run: cms generate')];
}
