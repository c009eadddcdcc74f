import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { createError } from '../../errors/catalogue.js';
import { comparePermissions, readAccessFile } from '../../cli/access/access-files.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';

export default class PermissionsDiff extends BaseCommand<typeof PermissionsDiff> {
  static override summary = 'Show the changes that cms permissions apply would make.';
  static override description =
    'Compares the permissions with a file. With --remote and without a file, compares the permissions of ' +
    "the server with those in this project's database.";
  static override examples = [
    '<%= config.bin %> <%= command.id %> permissions.yaml --exit-code',
    '<%= config.bin %> <%= command.id %> --remote production',
  ];
  static override args = {
    file: Args.string({
      description: 'File written by cms permissions export; "-" reads standard input.',
    }),
  };
  static override flags = {
    prune: Flags.boolean({
      description: 'Revoke all permissions of roles that are not in the file. Always set without a file.',
    }),
    'exit-code': Flags.boolean({ description: 'Exit with code 1 if there are differences.' }),
    ...remoteFlag,
  };
  static override completion = { file: 'path' } as const;

  async run(): Promise<Outcome> {
    const { flags } = this;
    const { file } = this.args;
    const { warn } = this.messages;
    if (file === undefined && flags.remote === undefined)
      throw createError('cli/missing-argument', {
        argument: '<file>',
        usage: 'cms permissions diff <file>, or cms permissions diff --remote <name>',
      });
    const target = await openContentProject(this.projectRoot, flags, this.messages);
    const text = await this.#source(file);
    const prune = flags.prune || file === undefined;
    const { diff } = await withAdministration(target, warn, (api) =>
      comparePermissions(api, { text, file: file ?? "this project's permissions", prune }),
    );
    const isEqual = diff === '';
    if (isEqual) this.info('There are no differences.');
    return {
      json: { changed: !isEqual, diff },
      text: diff,
      exitCode: flags['exit-code'] && !isEqual ? 1 : 0,
    };
  }

  /** Returns the text of the file, or the permissions in the project's database. */
  async #source(file: string | undefined): Promise<string> {
    if (file !== undefined)
      return (await readAccessFile(this.terminal, file, 'access/invalid-permissions-file')).text;
    const project = await openContentProject(this.projectRoot, {}, this.messages);
    const { text } = await withAdministration(project, this.messages.warn, ({ permissions }) =>
      permissions.export({}),
    );
    return text;
  }
}
