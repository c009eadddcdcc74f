import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { comparePermissions, readAccessFile } from '../../cli/access/access-files.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';

export default class PermissionsApply extends BaseCommand<typeof PermissionsApply> {
  static override summary = 'Apply roles and permissions from a file.';
  static override description =
    'Shows the differences first. Roles in the file get exactly the permissions that it grants. Other ' +
    'roles stay unchanged, unless --prune is set.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> permissions.yaml',
    '<%= config.bin %> <%= command.id %> permissions.yaml --dry-run',
    '<%= config.bin %> <%= command.id %> permissions.yaml --yes',
    '<%= config.bin %> <%= command.id %> permissions.yaml --prune --yes',
  ];
  static override args = {
    file: Args.string({
      required: true,
      description: 'File written by cms permissions export; "-" reads standard input.',
    }),
  };
  static override flags = {
    prune: Flags.boolean({ description: 'Revoke all permissions of roles that are not in the file.' }),
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = { file: 'path' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const read = await readAccessFile(this.terminal, this.args.file, 'access/invalid-permissions-file');
    this.info(await describeTarget(project));
    return withAdministration(project, this.messages.warn, async (api) => {
      const { diff, apply } = await comparePermissions(api, { ...read, prune: this.flags.prune });
      const dryRun = this.flags['dry-run'];
      const json = { changed: diff !== '', diff, ...(dryRun ? { dryRun } : {}) };
      if (diff === '' || dryRun) {
        this.info(diff === '' ? 'Nothing to change.' : 'Dry run: these changes were not applied.');
        return { json, text: diff };
      }
      this.info(diff);
      await this.confirm('Apply these permissions?');
      await apply();
      return { json, text: `Applied ${read.file}.` };
    });
  }
}
