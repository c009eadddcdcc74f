import { readdir } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { migrateProjectDatabase, planProject } from '../../../../src/project/migrate/migrate-project.js';
import type { Project } from '../../../../src/project/open/open-project.js';
import { planWithDecisions } from '../../../../src/cli/migrations/migration-plan.js';
import type { MigrationPlanDependencies } from '../../../../src/cli/migrations/migration-plan.js';
import { rejectionOf } from '../../migrations/migration-fixture.js';
import { differences } from './differences.js';
import { applyEffects } from './effects.js';
import type { ExpectedChange } from './effects.js';
import { readableModel } from './prepared-site.js';
import type { PreparedSite, SiteCopy } from './prepared-site.js';
import { readContent } from './read-content.js';
import type { Content } from './read-content.js';
import type { SchemaChange } from './schema-change.js';
import { SITE_SCHEMA } from './site-schema.js';
import type { SiteSchema } from './site-schema.js';
import { readTableStates } from './table-states.js';

const MAX_DIFFERENCES = 12;

/** Of a command that cannot ask. */
const DEPENDENCIES: MigrationPlanDependencies = {
  terminal: {
    stdin: process.stdin,
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: {},
    cwd: '/',
  },
  canPrompt: false,
};

const expectContent = async (
  { url }: SiteCopy,
  { dialect }: Project,
  schema: SiteSchema,
  expected: Content,
): Promise<void> => {
  const found = await readContent({ model: readableModel(schema), dialect, url });
  expect(differences(expected, found).slice(0, MAX_DIFFERENCES)).toEqual([]);
};

/** `dropped api::article.article hero.title: 12`, in alphabetical order. */
const printChanges = (changes: readonly ExpectedChange[]): readonly string[] =>
  changes.map(({ kind, type, path, values }) => `${kind} ${type} ${path ?? ''}: ${values}`).toSorted();

/** True if a migration must be refused unless the changes are accepted. */
const isRefused = (changes: readonly ExpectedChange[]): boolean =>
  changes.some(({ kind }) => kind === 'dropped' || kind === 'invalid');

/** Values that were dropped do not surface again where the schema is as it was before. */
const checkAddedBack = async (copy: SiteCopy, expected: Content): Promise<void> => {
  const project = await copy.open(SITE_SCHEMA);
  await migrateProjectDatabase(project, await planProject(project), { label: 'add back' });
  await expectContent(copy, project, SITE_SCHEMA, expected);
};

/**
 * Runs a row: what the plan tells, that data loss and invalid values are rejected without a change, and what
 * the content is once they are accepted.
 */
export async function checkChange(site: PreparedSite, row: SchemaChange): Promise<void> {
  const { edit, effects = [], flags = {}, content: editContent = (content) => content } = row;
  const schema = edit(SITE_SCHEMA);
  const stated = applyEffects(site.model, site.content, effects);
  const { changes: more = [] } = row;
  const changes = [...stated.changes, ...(typeof more === 'function' ? more(site.content) : more)];
  const expected = editContent(stated.content);
  const copy = await site.takeCopy();
  try {
    const project = await copy.open(schema);
    const { plan } = await planWithDecisions(DEPENDENCIES, project, {
      flags,
      renameFlags: flags.rename ?? [],
    });
    expect(printChanges(plan.impact)).toEqual(printChanges(changes));
    if (isRefused(changes)) {
      const migrations = await readdir(project.paths.migrations);
      await rejectionOf(migrateProjectDatabase(project, plan, { label: 'refused' }));
      expect(await readdir(project.paths.migrations)).toEqual(migrations);
      expect(await readTableStates(copy.url)).toEqual(site.tables);
    }
    await migrateProjectDatabase(project, plan, {
      label: 'change',
      ...(isRefused(changes) ? { acceptsDataLoss: true, acceptsInvalid: true } : {}),
    });
    await expectContent(copy, project, schema, expected);
    if (row.isAddedBack === true) await checkAddedBack(copy, expected);
  } finally {
    await copy.remove();
  }
}
