import { diffGenerated, printProjectSchema } from '../../project/generated-files.js';
import { findLongTexts } from '../../project/find-long-texts.js';
import { planProject, projectMigrationStatus } from '../../project/migrate-project.js';
import { printProblem } from '../../project/open-project.js';
import type { Project } from '../../project/open-project.js';
import { remedyCommands } from '../../project/read-advice/remedies.js';
import { findScanningReads } from '../../project/read-advice/suggest-indexes.js';
import { redactUrl } from '../../lib/redact-url.js';
import { isClientCurrent } from '../../migrations/client/load-client.js';
import { historyError } from '../../migrations/undo/history-problems.js';
import { isUpToDate } from '../../migrations/apply/migration-status.js';
import { failed, ok, warning } from './check.js';
import type { Finding } from './check.js';
import { countNoun } from '../../lib/count-noun.js';

export async function examineTypes(project: Project): Promise<readonly Finding[]> {
  const projectTypeCount = project.model.types.filter(({ origin }) => origin === 'project').length;
  const warnings = project.warnings.map((problem) =>
    warning('content-types', printProblem(problem), `Look at ${problem.file}.`),
  );
  return [
    ok(
      'content-types',
      [
        countNoun(projectTypeCount, 'content-type'),
        countNoun(project.model.components.length, 'component'),
      ].join(', '),
    ),
    ...warnings,
  ];
}

/** Checks that the database can be reached and is fully migrated. */
export async function examineDatabase(project: Project): Promise<readonly Finding[]> {
  const status = await projectMigrationStatus(project);
  const error = historyError(status);
  if (error !== null && status.failed.length === 0)
    return [failed('database', error.message, error.hint ?? '')];
  if (!isUpToDate(status)) {
    const counts = (['pending', 'unfinished', 'failed'] as const)
      .filter((key) => status[key].length > 0)
      .map((key) => `${status[key].length} ${key}`);
    return [failed('database', `Migrations: ${counts.join(', ')}.`, 'See: cms migrate status')];
  }
  const { sql } = await planProject(project);
  return [
    sql === ''
      ? ok('database', `${redactUrl(project.config.database.url)} is up to date`)
      : failed('database', 'The content-types have changes that no migration contains.', 'Run: cms migrate'),
  ];
}

/** Tells of stored values that are longer than the API takes. Silent where the database is not ready. */
export async function examineValues(project: Project): Promise<readonly Finding[]> {
  const [finding] = await examineDatabase(project).catch(() => []);
  if (finding?.status !== 'ok') return [];
  return (await findLongTexts(project)).map(({ type, path, characters, count }) =>
    warning(
      'values',
      `${type} ${path}: ${countNoun(count, 'value is', 'values are')} longer than ${characters} ` +
        'characters. They are kept until they are changed.',
      'Make the attribute a text, or shorten the values.',
    ),
  );
}

/**
 * Tells of reads that look at many rows, as the servers have counted them. Silent where the database is not
 * ready.
 */
export async function examineReads(project: Project): Promise<readonly Finding[]> {
  const [finding] = await examineDatabase(project).catch(() => []);
  if (finding?.status !== 'ok') return [];
  return (await findScanningReads(project)).map(({ read, calls, remedies }) =>
    warning(
      'reads',
      `${read}: looks at more than 1,000 rows, and ran ${calls === 1 ? 'once' : `${calls} times`}.`,
      `Index it: ${remedyCommands(remedies)}. See: cms index suggest`,
    ),
  );
}

export async function examineGenerated(project: Project): Promise<readonly Finding[]> {
  const changes = await diffGenerated(project);
  const isCurrent = await isClientCurrent({
    dir: project.paths.client,
    schemaText: await printProjectSchema(project),
  });
  if (changes.length > 0)
    return [
      failed(
        'generated',
        `Not up to date: ${changes.map(({ path }) => path).join(', ')}.`,
        'Run: cms generate',
      ),
    ];
  return [
    isCurrent
      ? ok('generated', 'Prisma schema, client and types are up to date')
      : warning('generated', 'The Prisma client is missing or old.', 'Run: cms generate'),
  ];
}
