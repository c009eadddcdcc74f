import * as Flags from '@oclif/core/flags';
import { migrateProject } from '../app/migrate-project.js';
import { openProject } from '../app/open-project.js';
import { BaseCommand } from './base.js';
import { acceptDataLossFlag, dryRunFlag } from './support/flags.js';
import { planProjectMigration, previewOutcome } from './support/migration-plan.js';
import type { Outcome } from './support/outcome.js';
import { describeTarget } from './support/target.js';
import { uninterrupted } from './support/uninterrupted.js';

export default class Migrate extends BaseCommand<typeof Migrate> {
  static override description = 'Development: bring database, Prisma schema, client and types in line with the content-types.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --name "add tags" --dry-run',
    '<%= config.bin %> <%= command.id %> --rename article.title=headline',
  ];
  static override flags = {
    name: Flags.string({ description: 'What the migration is called; after the tables it changes where left out.' }),
    rename: Flags.string({ multiple: true, multipleNonGreedy: true, description: 'What was renamed and keeps its data: article.title=headline, or articles=posts for a whole type.', helpValue: '<old=new>' }),
    ...acceptDataLossFlag,
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    for (const warning of project.warnings) this.warn(`${warning.file}:${warning.line} ${warning.message}`);
    const asking = { terminal: this.terminal, canPrompt: this.canPrompt, info: (text: string) => this.info(text) };
    const plan = await planProjectMigration(asking, project, { renames: this.flags.rename ?? [], name: this.flags.name });
    if (this.flags['dry-run']) return previewOutcome(project, plan);
    this.info(await describeTarget(project));
    await this.acceptLoss(plan.losses);
    const options = { label: plan.label, renames: plan.renames, acceptsDataLoss: plan.losses.length > 0 };
    const result = await uninterrupted(() =>
      this.progress('Migrating', ({ update }) => migrateProject(project, { ...options, onProgress: ({ name, done, total }) => update(`${name} (${done} of ${total})`) })));
    const { applied, seeded, name } = result;
    if (applied.length === 0) this.info('The database is up to date.');
    if (seeded > 0) this.info(`Imported ${seeded} documents from seed/.`);
    return { json: { migration: name, applied, files: result.changes.map(({ path }) => path), seeded }, text: applied.join('\n') };
  }
}
