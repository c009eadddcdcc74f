import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type { PermissionChange } from '../../access/permissions/role-permissions.js';
import type { Administration } from '../../api/administration/administration.js';
import { createError } from '../../errors/catalogue.js';
import { PERMISSIONS_FILE } from '../../project/access-files.js';
import { remindOfExport } from '../../cli/access/access-files.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import {
  describePermissionChanges,
  readPermissionRule,
  resolveActionGroup,
} from '../../cli/access/tokens-and-permissions.js';
import { editPermissions } from '../../cli/access/edit-permissions.js';
import type { PermissionEdit } from '../../cli/access/edit-permissions.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import type { ContentProject } from '../../cli/project/command-target.js';

export default class PermissionsSet extends BaseCommand<typeof PermissionsSet> {
  static override summary = 'Set the permissions of a role on a content-type.';
  static override description =
    'Revokes every action not listed. Without actions, shows a grid of checkboxes on a terminal.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> public article find findOne',
    "<%= config.bin %> <%= command.id %> authenticated api::tag.tag '*'",
    '<%= config.bin %> <%= command.id %> public plugin::users-permissions.auth callback register',
    '<%= config.bin %> <%= command.id %> authenticated article update --keep --fields title,body ' +
      '--where \'{"owner":{"id":"$user.id"}}\'',
    '<%= config.bin %> <%= command.id %> authenticated article find findOne findDrafts create update ' +
      '--status draft --locale en,de',
    '<%= config.bin %> <%= command.id %>',
  ];
  static override args = {
    role: Args.string({ description: 'Role: public, authenticated, or a role of the project.' }),
    type: Args.string({
      description: 'Content-type (article or api::article.article), or controller of a plugin.',
    }),
    action: Args.string({
      multiple: true,
      description: 'Actions such as find, findOne, create, update, delete; * for all.',
    }),
  };
  static override flags = {
    fields: Flags.string({
      description: 'Grant only these attributes, separated by commas.',
      helpValue: 'title,body',
    }),
    where: Flags.string({
      description:
        'Grant only documents that match this filter (JSON). Use $user.id and other public attributes of ' +
        'users for values of the caller. "-" reads standard input.',
      helpValue: '\'{"owner":{"id":"$user.id"}}\'',
    }),
    status: Flags.string({
      options: ['draft'],
      description: 'Grant writing drafts, but not publishing. Actions that only read are not limited.',
    }),
    locale: Flags.string({
      multiple: true,
      delimiter: ',',
      description: 'Grant only these locales. May be repeated. [default: all]',
      helpValue: 'de,fr',
    }),
    keep: Flags.boolean({ description: "Keep the role's other permissions on the type." }),
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = {
    role: 'role',
    type: 'grantable',
    action: 'action',
    locale: 'locale',
  } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, { remote: this.flags.remote }, this.messages);
    const { role, type, action: actions = [] } = this.args;
    const isComplete = role !== undefined && type !== undefined && actions.length > 0;
    if (!isComplete && !this.canPrompt) throw this.#missingArgument();
    const rule = await readPermissionRule(this.terminal, this.flags);
    const uid = type === undefined ? undefined : resolveActionGroup(project.model, type).uid;
    this.info(await describeTarget(project));
    const style = this.styleOn(this.terminal.stderr);
    return withAdministration(project, this.messages.warn, async (api) => {
      const edit = await this.ask(async (wizard): Promise<PermissionEdit> => {
        if (wizard !== null && !isComplete)
          return editPermissions(wizard, api, { model: project.model, role, uid, rule, style });
        const list = { role: String(role), uid: String(uid), actions, rule, keepOthers: this.flags.keep };
        return { role: list.role, lists: [list] };
      });
      return this.#apply(project, api, edit);
    });
  }

  async #apply(
    project: ContentProject,
    { permissions }: Administration,
    { role, lists }: PermissionEdit,
  ): Promise<Outcome> {
    const dryRun = this.flags['dry-run'];
    const changes: (PermissionChange & { readonly uid: string })[] = [];
    for (const list of lists)
      changes.push({ ...(await permissions.set({ ...list, dryRun })), uid: list.uid });
    const { summary, ...outcome } = describePermissionChanges(changes[0]?.role.type ?? role, changes, dryRun);
    this.info(summary);
    if (!dryRun && outcome.text !== '') remindOfExport(project, PERMISSIONS_FILE, this.messages.info);
    return outcome;
  }

  #missingArgument(): Error {
    const missing =
      (['role', 'type', 'action'] as const).find((name) => this.args[name] === undefined) ?? 'action';
    return createError('cli/missing-argument', {
      argument: `<${missing}>`,
      usage:
        'cms permissions set <role> <type> <action>… (to revoke all: cms permissions unset <role> <type>)',
    });
  }
}
