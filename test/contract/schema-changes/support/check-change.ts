import { readdir } from 'node:fs/promises';
import { expect } from 'vitest';
import { migrateProjectDatabase, previewProjectMigration } from '../../../../src/app/migrate-project.js';
import type { Project } from '../../../../src/app/open-project.js';
import { findProjectRenames, previousModel, splitRenames } from '../../../../src/app/project-renames.js';
import { nameRenames, selectRenames } from '../../../../src/cli/migrations/rename-candidates.js';
import { describeLoss } from '../../../../src/migrations/losses/destructive-change.js';
import type { Rename } from '../../../../src/migrations/schema/rename-in-schema.js';
import { NO_DECISIONS } from '../../../../src/migrations/content/content-decisions.js';
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

const MAX_DIFFERENCES = 12;

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

const renamesOf = async (
  project: Project,
  { renames = [], renameFlags }: SchemaChange,
): Promise<readonly Rename[]> => {
  if (renameFlags === undefined) return renames;
  const models = { before: await previousModel(project), after: project.model };
  const candidates = nameRenames(models, await findProjectRenames(project));
  return splitRenames(selectRenames(models, candidates, renameFlags)).database;
};

/** Whether a migration must be refused unless the changes are accepted. */
const isRefused = (changes: readonly ExpectedChange[]): boolean =>
  changes.some(({ kind }) => kind === 'dropped' || kind === 'misfit');

/** Values that were dropped do not surface again where the schema is as it was before. */
const checkAddedBack = async (copy: SiteCopy, expected: Content): Promise<void> => {
  const project = await copy.open(SITE_SCHEMA);
  await migrateProjectDatabase(project, { label: 'add back' });
  await expectContent(copy, project, SITE_SCHEMA, expected);
};

/**
 * Runs a row: what the preview tells, that losses and misfits are refused without a change, and what the
 * content is once they are accepted.
 */
export async function checkChange(site: PreparedSite, row: SchemaChange): Promise<void> {
  const { edit, effects = [], losses = [], content: editContent = (content) => content } = row;
  const decisions = { ...NO_DECISIONS, ...row.decisions };
  const schema = edit(SITE_SCHEMA);
  const stated = applyEffects(site.model, site.content, effects);
  const changes = [...stated.changes, ...(row.changes ?? [])];
  const expected = editContent(stated.content);
  const isAccepted = isRefused(changes) || losses.length > 0;
  const copy = await site.copy();
  try {
    const project = await copy.open(schema);
    const renames = await renamesOf(project, row);
    const preview = await previewProjectMigration(project, renames, decisions);
    expect(printChanges(preview.contentChanges)).toEqual(printChanges(changes));
    expect(preview.losses.map(describeLoss)).toEqual(losses);
    if (isAccepted) {
      const migrations = await readdir(project.paths.migrations);
      await rejectionOf(migrateProjectDatabase(project, { label: 'refused', renames, decisions }));
      expect(await readdir(project.paths.migrations)).toEqual(migrations);
      await expectContent(copy, project, SITE_SCHEMA, site.content);
    }
    await migrateProjectDatabase(project, {
      label: 'change',
      renames,
      decisions,
      ...(isAccepted ? { acceptsDataLoss: true, acceptsMisfits: true } : {}),
    });
    await expectContent(copy, project, schema, expected);
    if (row.isAddedBack === true) await checkAddedBack(copy, expected);
  } finally {
    await copy.remove();
  }
}
