import { resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import { exportPermissions, printPermissionFile } from '../../access/permissions/permission-file.js';
import { openProject } from '../../project/open/open-project.js';
import { writeText } from '../../project/write-text.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { withAccess } from '../../project/open/open-database.js';

export default class PermissionsExport extends BaseCommand<typeof PermissionsExport> {
  static override summary = 'Print roles and permissions as YAML, or write them to a file.';
  static override description = 'Keep the file under version control.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> permissions.yaml',
    '<%= config.bin %> <%= command.id %> > permissions.yaml',
  ];
  static override args = {
    file: Args.string({ description: 'File to write; "-" is standard output. [default: standard output]' }),
  };
  static override flags = { ...dryRunFlag };
  static override completion = { file: 'path' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const roles = await withAccess(project, (access) => exportPermissions(access));
    const content = printPermissionFile(roles);
    const { file } = this.args;
    if (file === undefined || file === '-') return { json: { content }, text: content.trimEnd() };
    const path = resolve(this.terminal.cwd, file);
    if (this.flags['dry-run'])
      return { json: { file: path, content, dryRun: true }, text: content.trimEnd() };
    await writeText(path, content);
    return { json: { file: path, roles: roles.map(({ type }) => type) }, text: path };
  }
}
