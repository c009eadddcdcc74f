import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type { AccessContext } from '../../access/access.js';
import { setPermissions } from '../../access/operations/set-permissions.js';
import type { PermissionChange } from '../../access/operations/set-permissions.js';
import { openProject } from '../../app/open-project.js';
import { fail } from '../../errors/catalogue.js';
import { BaseCommand } from '../base.js';
import { resolveActionGroup } from '../support/action-groups.js';
import { createAsker } from '../support/ask/asker.js';
import { editPermissions } from '../support/edit-permissions.js';
import type { PermissionEdit } from '../support/edit-permissions.js';
import { dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { readRule } from '../support/permission-rule.js';
import { reportChanges } from '../support/permissions.js';
import { describeTarget } from '../support/target.js';
import { withAccess } from '../support/with-access.js';

export default class PermissionsSet extends BaseCommand<typeof PermissionsSet> {
  static override summary = 'State the whole list of what a role may do on a content-type.';
  static override description = 'What is not in the list is withdrawn. Without actions, on a terminal, a grid to tick.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> public article find findOne',
    "<%= config.bin %> <%= command.id %> authenticated api::tag.tag '*'",
    '<%= config.bin %> <%= command.id %> public plugin::users-permissions.auth callback register',
    '<%= config.bin %> <%= command.id %> authenticated article update --keep --fields title,body --where \'{"owner":{"id":"$user.id"}}\'',
    '<%= config.bin %> <%= command.id %>',
  ];
  static override args = {
    role: Args.string({ description: 'public, authenticated, or a role of your own.' }),
    uid: Args.string({ description: 'The type (api::article.article, or article), or a plugin\'s controller.' }),
    action: Args.string({ multiple: true, description: 'find, findOne, create, update, delete; * for all.' }),
  };
  static override flags = {
    fields: Flags.string({ description: 'Only these attributes, separated by commas.', helpValue: 'title,body' }),
    where: Flags.string({ description: 'Only documents that fulfil this filter, as JSON; $user.id and other public attributes of users stand for the caller\'s. "-" reads it from standard input.', helpValue: '\'{"owner":{"id":"$user.id"}}\'' }),
    keep: Flags.boolean({ description: 'Leave what else the role may do on the type as it is.' }),
    ...dryRunFlag,
  };
  static override completion = { role: 'role', uid: 'grantable', action: 'action' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const { role, uid, action: actions = [] } = this.args;
    const isComplete = role !== undefined && uid !== undefined && actions.length > 0;
    if (!isComplete && !this.canPrompt) throw this.#missing();
    const rule = await readRule(this.terminal, this.flags);
    const target = uid === undefined ? undefined : resolveActionGroup(project.model, uid).uid;
    this.info(await describeTarget(project));
    return withAccess(project, async (access) => {
      const whole = isComplete && target !== undefined ? { role, lists: [{ role, uid: target, actions, rule, keepsOthers: this.flags.keep }] } : undefined;
      const style = this.styleOn(this.terminal.stderr);
      return this.#apply(access, whole ?? (await editPermissions(createAsker(this.terminal), access, { role, uid: target, style })));
    });
  }

  async #apply(access: AccessContext, { role, lists }: PermissionEdit): Promise<Outcome> {
    const dryRun = this.flags['dry-run'];
    const changes: (PermissionChange & { readonly uid: string })[] = [];
    for (const list of lists) changes.push({ ...(await setPermissions(access, list, { dryRun })), uid: list.uid });
    const { summary, ...outcome } = reportChanges(changes[0]?.role.type ?? role, changes, dryRun);
    this.info(summary);
    return outcome;
  }

  #missing(): Error {
    const missing = (['role', 'uid', 'action'] as const).find((name) => this.args[name] === undefined) ?? 'action';
    return fail('cli/missing-argument', { argument: `<${missing}>`, usage: 'cms permissions set <role> <uid> <action>… (to withdraw all: cms permissions unset <role> <uid>)' });
  }
}
