import * as Flags from '@oclif/core/flags';
import { TOKEN_TYPES } from '../../access/access.js';
import { listActionGroups } from '../../access/permissions/actions.js';
import { LIFESPANS, createToken } from '../../access/tokens/create-token.js';
import { findTokenIfAny } from '../../access/tokens/find-tokens.js';
import type { NewToken } from '../../access/tokens/create-token.js';
import { openProject } from '../../app/open-project.js';
import type { ContentModel } from '../../model/model.js';
import { BaseCommand } from '../../cli/base-command.js';
import { expandPermission } from '../../cli/access/action-groups.js';
import { promptActions } from '../../cli/prompts/prompt-actions.js';
import { promptLifespan, promptTokenName, promptTokenType } from '../../cli/prompts/prompt-token.js';
import { summarizeToken } from '../../cli/access/describe-token.js';
import { dryRunFlag } from '../../cli/arguments/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/describe-target.js';
import { withAccess } from '../../cli/project/with-access.js';

export default class TokenCreate extends BaseCommand<typeof TokenCreate> {
  static override summary = 'Create an API token and print its access key.';
  static override description =
    'The key is shown only once, because only its hash is stored. ' +
    'Clients send it as: Authorization: Bearer <key>.';
  static override examples = [
    'TOKEN=$(<%= config.bin %> <%= command.id %> --name ci --type read-only)',
    '<%= config.bin %> <%= command.id %> --name importer --type custom ' +
      '--permission article.create article.update --lifespan 30d',
    '<%= config.bin %> <%= command.id %> --name ci --type full-access --force --json',
    '<%= config.bin %> <%= command.id %> --name site --type read-only --if-missing',
  ];
  static override flags = {
    name: Flags.string({ description: "The token's name." }),
    description: Flags.string({ description: 'What it is for.' }),
    type: Flags.string({ options: [...TOKEN_TYPES], description: 'What the token is allowed to do.' }),
    permission: Flags.string({
      multiple: true,
      delimiter: ',',
      description:
        'For custom tokens: api::article.article.find, article.find or article.*; may be repeated.',
    }),
    lifespan: Flags.string({
      options: [...LIFESPANS],
      description: 'How long the token is valid. [default: unlimited]',
    }),
    force: Flags.boolean({ description: 'Replace an existing token of that name, whose key stops working.' }),
    'if-missing': Flags.boolean({
      description: 'Do nothing where a token of that name exists, and print no key.',
      exclusive: ['force'],
    }),
    ...dryRunFlag,
  };
  static override completion = { permission: 'permission' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const input = await this.#input(project.model);
    const dryRun = this.flags['dry-run'];
    this.info(await describeTarget(project));
    const { token, accessKey } = await withAccess(project, async (access) => {
      const existing = this.flags['if-missing'] ? await findTokenIfAny(access, input.name) : null;
      return existing === null
        ? createToken(access, input, { dryRun })
        : { token: existing, accessKey: null };
    });
    if (accessKey === null) {
      this.info(`The token ${summarizeToken(token)} exists already. Its key is not shown again.`);
      return { json: { ...token, created: false }, text: '' };
    }
    if (dryRun) {
      const { name, description, type, permissions, expiresAt } = token;
      return {
        json: { dryRun, name, description, type, permissions, expiresAt },
        text: `Would create the token ${summarizeToken(token)}.`,
      };
    }
    this.info(`Created the token ${summarizeToken(token)}. Its key is shown only once:`);
    const created = this.flags['if-missing'] ? { created: true } : {};
    return { json: { ...token, accessKey, ...created }, text: accessKey };
  }

  async #input(model: ContentModel): Promise<NewToken> {
    const { flags } = this;
    const isComplete = flags.name !== undefined && flags.type !== undefined;
    const name = await this.promptIfMissing('name', flags.name, promptTokenName);
    const type = await this.promptIfMissing(
      'type',
      TOKEN_TYPES.find((candidate) => candidate === flags.type),
      promptTokenType,
    );
    const permissionNames = flags.permission?.map((permission) => expandPermission(model, permission));
    const question = {
      message: 'Which actions?',
      groups: listActionGroups(model),
      required: true,
      style: this.styleOn(this.terminal.stderr),
    };
    const permissions =
      type === 'custom'
        ? await this.promptIfMissing('permission', permissionNames, promptActions(question))
        : (permissionNames ?? []);
    const requestedLifespan =
      LIFESPANS.find((candidate) => candidate === flags.lifespan) ?? (isComplete ? 'unlimited' : undefined);
    const lifespan = await this.promptIfMissing('lifespan', requestedLifespan, promptLifespan, 'unlimited');
    return {
      name,
      type,
      permissions,
      lifespan,
      description: flags.description ?? null,
      replace: flags.force,
    };
  }
}
