import * as Flags from '@oclif/core/flags';
import { isSafeWhileRunning, labelMigration, migrateProject } from '../project/migrate/migrate-project.js';
import { openProject } from '../project/open/open-project.js';
import { BaseCommand } from '../cli/base-command.js';
import {
  acceptDataLossFlag,
  acceptInvalidFlag,
  decisionFlags,
  dryRunFlag,
  repeatable,
} from '../cli/flags.js';
import { planWithDecisions, describeMigrationPlan } from '../cli/migrations/migration-plan.js';
import { describeSafety, reportMigrationProgress } from '../cli/migrations/migration-status.js';
import type { Outcome } from '../cli/outcome.js';
import { describeTarget } from '../cli/project/command-target.js';
import { deferSignals } from '../cli/terminal/signals.js';

export default class Migrate extends BaseCommand<typeof Migrate> {
  static override summary = 'Migrate the database to match the content-types (development).';
  static override description = 'Also updates the Prisma schema, the client and the types.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --name "add tags" --dry-run',
    '<%= config.bin %> <%= command.id %> --rename article.title=headline',
    '<%= config.bin %> <%= command.id %> --map article.colour:blue=azure --set article.source=unknown',
  ];
  static override flags = {
    name: Flags.string({
      description: 'Name of the migration. [default: derived from the changed tables]',
    }),
    rename: Flags.string({
      ...repeatable,
      description:
        'Rename that keeps its data: article.title=headline, shared.seo.metaTitle=title, or a whole ' +
        'schema: article=post, shared.seo=shared.meta. May be repeated.',
      helpValue: '<old=new>',
    }),
    ...decisionFlags,
    ...acceptDataLossFlag,
    ...acceptInvalidFlag,
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot, { command: this.command });
    for (const warning of project.warnings) this.warn(`${warning.file}:${warning.line} ${warning.message}`);
    const deps = {
      terminal: this.terminal,
      canPrompt: this.canPrompt,
    };
    const { plan, resumes } = await planWithDecisions(deps, project, {
      flags: this.flags,
      renameFlags: this.flags.rename ?? [],
    });
    if (resumes !== null)
      this.info(`Resuming ${resumes}, which already contains the changes of these flags.`);
    if (this.flags['dry-run']) return describeMigrationPlan(project, plan);
    this.info(await describeTarget(project));
    const options = {
      label: this.flags.name ?? labelMigration(plan.steps),
      ...(await this.confirmImpact(plan.impact)),
    };
    const result = await deferSignals(() =>
      this.progress('Migrating', (progress) =>
        migrateProject(project, plan, { ...options, ...reportMigrationProgress(progress) }),
      ),
    );
    const { applied, seeded, name } = result;
    const isSafe = await isSafeWhileRunning(project, applied);
    this.info(applied.length === 0 ? 'The database is up to date.' : describeSafety(isSafe));
    if (seeded > 0) this.info(`Imported ${seeded} documents from seed/.`);
    return {
      json: {
        migration: name,
        applied,
        ...(applied.length === 0 ? {} : { safeWhileRunning: isSafe }),
        files: result.changes.map(({ path }) => path),
        seeded,
        changes: plan.impact,
      },
      text: applied.join('\n'),
    };
  }
}
