import * as Flags from '@oclif/core/flags';
import { migrateProject } from '../app/migrate-project.js';
import { openProject } from '../app/open-project.js';
import { BaseCommand } from '../cli/base-command.js';
import { acceptDataLossFlag, dryRunFlag } from '../cli/arguments/flags.js';
import { planProjectMigration, describeMigrationPlan } from '../cli/migrations/migration-plan.js';
import { reportMigrationProgress } from '../cli/migrations/report-progress.js';
import type { Outcome } from '../cli/outcome.js';
import { describeTarget } from '../cli/project/describe-target.js';
import { deferSignals } from '../cli/terminal/signals.js';

export default class Migrate extends BaseCommand<typeof Migrate> {
  static override description =
    'Development: update the database, Prisma schema, client and types to match the content-types.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --name "add tags" --dry-run',
    '<%= config.bin %> <%= command.id %> --rename article.title=headline',
  ];
  static override flags = {
    name: Flags.string({
      description: 'Name of the migration. [default: derived from the changed tables]',
    }),
    rename: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description:
        'A rename that keeps its data: article.title=headline, or articles=posts for a whole type.',
      helpValue: '<old=new>',
    }),
    ...acceptDataLossFlag,
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    for (const warning of project.warnings) this.warn(`${warning.file}:${warning.line} ${warning.message}`);
    const deps = {
      terminal: this.terminal,
      canPrompt: this.canPrompt,
      info: (text: string) => this.info(text),
    };
    const plan = await planProjectMigration(deps, project, {
      renames: this.flags.rename ?? [],
      name: this.flags.name,
    });
    if (this.flags['dry-run']) return describeMigrationPlan(project, plan);
    this.info(await describeTarget(project));
    await this.confirmDataLoss(plan.losses);
    const options = { label: plan.label, renames: plan.renames, acceptsDataLoss: plan.losses.length > 0 };
    const result = await deferSignals(() =>
      this.progress('Migrating', (progress) =>
        migrateProject(project, { ...options, ...reportMigrationProgress(progress) }),
      ),
    );
    const { applied, seeded, name } = result;
    if (applied.length === 0) this.info('The database is up to date.');
    if (seeded > 0) this.info(`Imported ${seeded} documents from seed/.`);
    return {
      json: { migration: name, applied, files: result.changes.map(({ path }) => path), seeded },
      text: applied.join('\n'),
    };
  }
}
