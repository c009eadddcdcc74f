import * as Flags from '@oclif/core/flags';
import { TOKEN_TYPES } from '../../access/access.js';
import { allActionsOf, listActionGroups } from '../../access/permissions/actions.js';
import { LIFESPANS, createToken } from '../../access/tokens/create-token.js';
import { findTokenIfAny } from '../../access/tokens/find-tokens.js';
import type { NewToken } from '../../access/tokens/create-token.js';
import { openProject } from '../../app/open-project.js';
import type { ContentModel } from '../../model/model.js';
import { BaseCommand } from '../../cli/base-command.js';
import { expandPermission } from '../../cli/access/action-groups.js';
import { promptActions } from '../../cli/prompts/prompt-actions.js';
import {
  promptExpiry,
  promptLifespan,
  promptPreviewedTypes,
  promptTokenName,
  promptTokenType,
} from '../../cli/prompts/prompt-token.js';
import { summarizeToken } from '../../cli/access/describe-token.js';
import { dryRunFlag } from '../../cli/arguments/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/describe-target.js';
import { withAccess } from '../../cli/project/with-access.js';
import { createError } from '../../errors/catalogue.js';
import { parseDuration } from '../../lib/duration.js';
import { resolveType } from '../../scaffold/resolve-name.js';

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
    '<%= config.bin %> <%= command.id %> --name preview --type preview --content article --locale en ' +
      '--expires-in 1h',
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
    content: Flags.string({
      multiple: true,
      delimiter: ',',
      description: 'For preview tokens: the types whose drafts it reads; may be repeated.',
    }),
    locale: Flags.string({
      multiple: true,
      delimiter: ',',
      description: 'For preview tokens: only these locales. [default: all]',
    }),
    'expires-in': Flags.string({
      description: 'How long the token is valid: 30m, 12h or 7d.',
      exclusive: ['lifespan'],
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
  static override completion = { permission: 'permission', content: 'type', locale: 'locale' } as const;

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
      const { id: _, lastUsedAt: _used, createdAt: _created, updatedAt: _updated, ...planned } = token;
      return {
        json: { dryRun, ...planned },
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
      groups: listActionGroups(model).map((group) => ({ ...group, actions: allActionsOf(group) })),
      required: true,
      style: this.styleOn(this.terminal.stderr),
    };
    const permissions =
      type === 'custom'
        ? await this.promptIfMissing('permission', permissionNames, promptActions(question))
        : (permissionNames ?? []);
    const scope =
      type === 'preview'
        ? await this.#previewed(model)
        : { types: flags.content ?? [], locales: flags.locale ?? [] };
    return {
      name,
      type,
      permissions,
      ...scope,
      ...(await this.#end(type, isComplete)),
      description: flags.description ?? null,
      replace: flags.force,
    };
  }

  /** What a preview token reads. Other types take neither, which the operation tells. */
  async #previewed(model: ContentModel): Promise<Pick<NewToken, 'types' | 'locales'>> {
    const { content, locale = [] } = this.flags;
    const names = await this.promptIfMissing('content', content, promptPreviewedTypes);
    return { types: names.map((name) => resolveType(model.types, name).uid), locales: locale };
  }

  async #end(type: NewToken['type'], isComplete: boolean): Promise<Pick<NewToken, 'lifespan' | 'expiresIn'>> {
    const { flags } = this;
    const lifespan = LIFESPANS.find((candidate) => candidate === flags.lifespan);
    if (flags['expires-in'] === undefined && (lifespan !== undefined || type !== 'preview')) {
      const requested = lifespan ?? (isComplete ? 'unlimited' : undefined);
      return { lifespan: await this.promptIfMissing('lifespan', requested, promptLifespan, 'unlimited') };
    }
    const text = await this.promptIfMissing('expires-in', flags['expires-in'], promptExpiry);
    const expiresIn = parseDuration(text);
    if (expiresIn !== null) return { expiresIn };
    throw createError('access/invalid-token', {
      reason: `${text} is no length of time.`,
      remedy: 'Write minutes, hours or days: 30m, 12h or 7d.',
    });
  }
}
