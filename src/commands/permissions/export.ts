import { exportArguments, writeExport } from '../../cli/access/access-files.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';

export default class PermissionsExport extends BaseCommand<typeof PermissionsExport> {
  static override summary = 'Print roles and permissions as YAML, or write them to a file.';
  static override description = 'Keep the file under version control.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> permissions.yaml',
    '<%= config.bin %> <%= command.id %> > permissions.yaml',
  ];
  static override args = exportArguments;
  static override flags = { ...remoteFlag, ...dryRunFlag };
  static override completion = { file: 'path' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const { text: content, roles } = await withAdministration(project, this.messages.warn, (api) =>
      api.permissions.export({}),
    );
    const isDryRun = this.flags['dry-run'];
    return writeExport(this.terminal, { file: this.args.file, content, isDryRun, summary: { roles } });
  }
}
