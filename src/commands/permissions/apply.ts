import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import {
  applyPermissions,
  parsePermissionFile,
  printPermissionFile,
} from '../../access/permissions/permission-file.js';
import { openProject } from '../../project/open/open-project.js';
import { createError } from '../../errors/catalogue.js';
import { printUnifiedDiff } from '../../lib/files.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { readStdin } from '../../cli/prompts/secret.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { withAccess } from '../../project/open/open-database.js';

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
    ...dryRunFlag,
  };
  static override completion = { file: 'path' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const { file } = this.args;
    const roles = parsePermissionFile(project.model, await this.#read(file), file);
    this.info(await describeTarget(project));
    return withAccess(project, async (access) => {
      const { prune } = this.flags;
      const { before, after } = await applyPermissions(access, roles, { prune, dryRun: true });
      const [from, to] = [printPermissionFile(before), printPermissionFile(after)];
      const diff = printUnifiedDiff({ path: 'permissions', before: from, after: to }).trimEnd();
      const dryRun = this.flags['dry-run'];
      const json = { changed: from !== to, diff, ...(dryRun ? { dryRun } : {}) };
      if (from === to || dryRun) {
        this.info(from === to ? 'Nothing to change.' : 'Dry run: these changes were not applied.');
        return { json, text: diff };
      }
      this.info(diff);
      await this.confirm('Apply these permissions?');
      await applyPermissions(access, roles, { prune });
      return { json, text: `Applied ${file}.` };
    });
  }

  async #read(file: string): Promise<string> {
    if (file === '-') return readStdin(this.terminal);
    return readFile(resolve(this.terminal.cwd, file), 'utf8').catch((cause: unknown) => {
      throw createError('access/invalid-permissions-file', { file, reason: 'it cannot be read.' }, { cause });
    });
  }
}
