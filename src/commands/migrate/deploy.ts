import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { acceptDataLossFlag, acceptInvalidFlag, dryRunFlag } from '../../cli/flags.js';
import { deployMigrations, previewMigrations } from '../../cli/migrations/deploy-migrations.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/command-target.js';

export default class MigrateDeploy extends BaseCommand<typeof MigrateDeploy> {
  static override summary = 'Apply pending migrations (production).';
  static override description =
    'A lock ensures that instances that start at the same time apply each migration once. cms deploy also ' +
    'applies locales and permissions.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --dry-run',
  ];
  static override flags = { ...acceptDataLossFlag, ...acceptInvalidFlag, ...dryRunFlag };

  async run(): Promise<Outcome> {
    const { flags } = this;
    const project = await openProject(this.projectRoot, { command: this.command });
    this.info(await describeTarget(project));
    if (flags['dry-run']) {
      const { json, text } = await previewMigrations(project);
      return { json, text };
    }
    return deployMigrations(project, {
      ...this.messages,
      acceptsDataLoss: flags['accept-data-loss'],
      acceptsInvalid: flags['accept-invalid'],
      progress: (label, work) => this.progress(label, work),
    });
  }
}
