import * as Flags from '@oclif/core/flags';
import { TOKEN_TYPES } from '../../access/access.js';
import { listActionGroups } from '../../access/actions.js';
import { LIFESPANS } from '../../access/lifespan.js';
import { createToken } from '../../access/operations/create-token.js';
import type { NewToken } from '../../access/operations/create-token.js';
import { openProject } from '../../app/open-project.js';
import type { ContentModel } from '../../model/model.js';
import { BaseCommand } from '../base.js';
import { expandPermission } from '../support/action-groups.js';
import { askActions } from '../support/ask/ask-actions.js';
import { askLifespan, askTokenName, askTokenType } from '../support/ask/ask-token.js';
import { summarizeToken } from '../support/describe-token.js';
import { dryRunFlag } from '../support/flags.js';
import type { Outcome } from '../support/outcome.js';
import { describeTarget } from '../support/target.js';
import { withAccess } from '../support/with-access.js';

export default class TokenCreate extends BaseCommand<typeof TokenCreate> {
  static override summary = 'Make an API token and print its access key.';
  static override description = 'The key is shown this once; only its hash is stored. Clients send it as: Authorization: Bearer <key>.';
  static override examples = [
    'TOKEN=$(<%= config.bin %> <%= command.id %> --name ci --type read-only)',
    '<%= config.bin %> <%= command.id %> --name importer --type custom --permission article.create article.update --lifespan 30d',
    '<%= config.bin %> <%= command.id %> --name ci --type full-access --force --json',
  ];
  static override flags = {
    name: Flags.string({ description: 'What the token is called.' }),
    description: Flags.string({ description: 'What it is for.' }),
    type: Flags.string({ options: [...TOKEN_TYPES], description: 'What it may do.' }),
    permission: Flags.string({ multiple: true, delimiter: ',', description: 'For custom tokens: api::article.article.find, article.find or article.*; any number of them.' }),
    lifespan: Flags.string({ options: [...LIFESPANS], description: 'How long it works. [default: unlimited]' }),
    force: Flags.boolean({ description: 'Replace a token of that name: its key stops working.' }),
    ...dryRunFlag,
  };
  static override completion = { permission: 'permission' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const input = await this.#input(project.model);
    const dryRun = this.flags['dry-run'];
    this.info(await describeTarget(project));
    const { token, accessKey } = await withAccess(project, (access) => createToken(access, input, { dryRun }));
    if (dryRun) {
      const { name, description, type, permissions, expiresAt } = token;
      return { json: { dryRun, name, description, type, permissions, expiresAt }, text: `Would make the token ${summarizeToken(token)}.` };
    }
    this.info(`Made the token ${summarizeToken(token)}. Its key is shown this once:`);
    return { json: { ...token, accessKey }, text: accessKey };
  }

  async #input(model: ContentModel): Promise<NewToken> {
    const { flags } = this;
    const isComplete = flags.name !== undefined && flags.type !== undefined;
    const name = await this.promptOr('name', flags.name, askTokenName);
    const type = await this.promptOr('type', TOKEN_TYPES.find((known) => known === flags.type), askTokenType);
    const named = flags.permission?.map((permission) => expandPermission(model, permission));
    const question = { message: 'Which actions?', groups: listActionGroups(model), required: true, style: this.styleOn(this.terminal.stderr) };
    const permissions = type === 'custom' ? await this.promptOr('permission', named, askActions(question)) : named ?? [];
    const given = LIFESPANS.find((known) => known === flags.lifespan) ?? (isComplete ? 'unlimited' : undefined);
    const lifespan = await this.promptOr('lifespan', given, askLifespan, 'unlimited');
    return { name, type, permissions, lifespan, description: flags.description ?? null, replace: flags.force };
  }
}
