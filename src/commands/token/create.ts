import * as Flags from '@oclif/core/flags';
import { TOKEN_TYPES } from '../../access/access.js';
import type { TokenType } from '../../access/access.js';
import { allActionsOf, listTokenActionGroups } from '../../access/permissions/actions.js';
import { LIFESPANS } from '../../access/tokens.js';
import type { Lifespan, NewToken } from '../../access/tokens.js';
import type { Administration } from '../../api/administration/administration.js';
import { askActions } from '../../cli/access/edit-permissions.js';
import { expandPermission, summarizeToken } from '../../cli/access/tokens-and-permissions.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { askSelect, askSeveral, askText, validateWith } from '../../cli/prompts/prompt.js';
import { runForm } from '../../cli/prompts/wizard.js';
import type { FormFields } from '../../cli/prompts/wizard.js';
import { createError } from '../../errors/catalogue.js';
import { shellWord } from '../../lib/text.js';
import { parseDuration } from '../../lib/units.js';
import type { ContentModel } from '../../model/model.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

interface TokenValues {
  readonly name: string;
  readonly type: TokenType;
  /** The full names of the actions of a custom token. */
  readonly permissions?: readonly string[];
  /** The types that a preview token reads. */
  readonly types?: readonly string[];
  readonly lifespan?: Lifespan;
  /** `1h`, instead of a lifespan. */
  readonly expiresIn?: string;
}

const DESCRIPTIONS: Readonly<Record<TokenType, string>> = {
  'read-only': 'find and findOne of every type, without drafts',
  'full-access': 'everything',
  custom: 'the actions you choose',
  preview: 'drafts of the types you choose, for a time',
};

const draftOf = ({ name }: Partial<TokenValues>): string | null =>
  name === undefined ? null : `the token ${name}`;

const parseEnd = (text: string): number => {
  const milliseconds = parseDuration(text);
  if (milliseconds !== null) return milliseconds;
  throw createError('access/invalid-token', {
    reason: `${text} is not a duration.`,
    remedy: 'Write minutes, hours or days: 30m, 12h or 7d.',
  });
};

export default class TokenCreate extends BaseCommand<typeof TokenCreate> {
  static override summary = 'Create an API token and print its access key.';
  static override description =
    'The key is shown only once, because only its hash is stored. ' +
    'Clients send it as: Authorization: Bearer <key>.';
  static override examples = [
    'TOKEN=$(<%= config.bin %> <%= command.id %> --name ci --type read-only)',
    '<%= config.bin %> <%= command.id %> --name importer --type custom ' +
      '--permission article.create article.update --lifespan 30d',
    '<%= config.bin %> <%= command.id %> --name assistant --type custom ' +
      '--permission article.find article.update --status draft',
    '<%= config.bin %> <%= command.id %> --name ci --type full-access --force --json',
    '<%= config.bin %> <%= command.id %> --name site --type read-only --if-missing',
    '<%= config.bin %> <%= command.id %> --name preview --type preview --content article --locale en ' +
      '--expires-in 1h',
  ];
  static override flags = {
    name: Flags.string({ description: 'Name of the token.' }),
    description: Flags.string({ description: 'Purpose of the token.' }),
    type: Flags.string({ options: [...TOKEN_TYPES], description: 'Access that the token grants.' }),
    permission: Flags.string({
      multiple: true,
      delimiter: ',',
      description:
        'Permission of a custom token: api::article.article.find, article.find or article.*. May be ' +
        'repeated.',
    }),
    content: Flags.string({
      multiple: true,
      delimiter: ',',
      description: 'Content-type whose drafts a preview token reads. May be repeated.',
    }),
    locale: Flags.string({
      multiple: true,
      delimiter: ',',
      description: 'Locale that a preview or custom token is limited to. May be repeated. [default: all]',
    }),
    status: Flags.string({
      options: ['draft'],
      description: 'Let a custom token write drafts, but not publish.',
    }),
    'expires-in': Flags.string({
      description: 'Validity of the token: 30m, 12h or 7d.',
      exclusive: ['lifespan'],
    }),
    lifespan: Flags.string({
      options: [...LIFESPANS],
      description: 'Validity of the token. [default: unlimited]',
    }),
    force: Flags.boolean({ description: 'Replace an existing token of that name; its key stops working.' }),
    'if-missing': Flags.boolean({
      description: 'Do nothing and print no key if a token of that name exists.',
      exclusive: ['force'],
    }),
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = { permission: 'permission', content: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, { remote: this.flags.remote }, this.messages);
    const dryRun = this.flags['dry-run'];
    this.info(await describeTarget(project));
    const { token, accessKey } = await withAdministration(project, this.messages.warn, async ({ tokens }) => {
      const { model } = project;
      const values = await this.ask((wizard) =>
        runForm(wizard, this.#fields(model, tokens), draftOf, (chosen) =>
          validateWith(() => tokens.create({ ...this.#input(model, chosen), dryRun: true })),
        ),
      );
      const input = this.#input(model, values);
      const existing = this.flags['if-missing'] ? await tokens.find({ name: input.name }) : null;
      return existing === null ? tokens.create({ ...input, dryRun }) : { token: existing, accessKey: null };
    });
    if (accessKey === null) {
      this.info(`The token ${summarizeToken(token)} already exists. Its key is not shown again.`);
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

  #fields(model: ContentModel, tokens: Administration['tokens']): FormFields<TokenValues> {
    const { flags } = this;
    const keepsExisting = flags.force || flags['if-missing'];
    const previewable = model.types.filter(({ origin }) => origin === 'project');
    return {
      name: {
        name: 'name',
        label: 'name',
        given: flags.name,
        assert: async (name) => {
          if (!keepsExisting && (await tokens.find({ name })) !== null)
            throw createError('access/token-exists', { name, word: shellWord(name) });
        },
        ask: (prompter, question) => askText(prompter, { message: 'Name', isRequired: true, ...question }),
      },
      type: {
        name: 'type',
        label: 'type',
        given: TOKEN_TYPES.find((candidate) => candidate === flags.type),
        ask: (prompter, { initial }) =>
          askSelect(prompter, {
            message: 'What may it do?',
            choices: TOKEN_TYPES.map((value) => ({ value, name: value, description: DESCRIPTIONS[value] })),
            initial,
          }),
      },
      permissions: {
        name: 'permission',
        label: 'actions',
        given: flags.permission?.map((permission) => expandPermission(model, permission)),
        when: ({ type }) => type === 'custom' || flags.permission !== undefined,
        ask: (prompter, { initial }) =>
          askActions(prompter, {
            message: 'Which actions?',
            groups: listTokenActionGroups(model).map((group) => ({ ...group, actions: allActionsOf(group) })),
            granted: initial,
            required: true,
            style: this.styleOn(this.terminal.stderr),
          }),
      },
      types: {
        name: 'content',
        label: 'types',
        given: flags.content,
        when: ({ type }) => type === 'preview' || flags.content !== undefined,
        ask: (prompter, { initial = [] }) =>
          askSeveral(prompter, {
            message: 'Drafts of which types?',
            choices: previewable.map(({ singularName: value }) => ({ value, name: value })),
            initial,
            isRequired: true,
          }),
      },
      ...this.#endFields(),
    };
  }

  /** Fields for the expiry of a token. A preview token requires one. */
  #endFields(): Pick<FormFields<TokenValues>, 'lifespan' | 'expiresIn'> {
    const { flags } = this;
    const isComplete = flags.name !== undefined && flags.type !== undefined;
    const given = LIFESPANS.find((candidate) => candidate === flags.lifespan);
    const hasEnd = flags['expires-in'] !== undefined;
    return {
      lifespan: {
        name: 'lifespan',
        label: 'valid for',
        given: given ?? (isComplete ? 'unlimited' : undefined),
        when: ({ type }) => !hasEnd && (given !== undefined || type !== 'preview'),
        fallback: () => 'unlimited',
        ask: (prompter, { initial = 'unlimited' }) =>
          askSelect(prompter, {
            message: 'For how long?',
            choices: LIFESPANS.map((value) => ({ value, name: value })),
            initial,
          }),
      },
      expiresIn: {
        name: 'expires-in',
        label: 'valid for',
        given: flags['expires-in'],
        when: ({ type }) => hasEnd || (given === undefined && type === 'preview'),
        ask: (prompter, { initial }) =>
          askSelect(prompter, {
            message: 'For how long?',
            choices: ['1h', '1d', '7d', '30d'].map((value) => ({ value, name: value })),
            initial,
          }),
      },
    };
  }

  #input(
    model: ContentModel,
    { name, type, permissions, types = [], lifespan, expiresIn }: TokenValues,
  ): NewToken {
    const { flags } = this;
    return {
      name,
      type,
      permissions: permissions ?? [],
      types: types.map((typeName) =>
        type === 'preview' ? resolveType(model.types, typeName).uid : typeName,
      ),
      locales: flags.locale ?? [],
      ...(flags.status === 'draft' ? { status: flags.status } : {}),
      ...(lifespan === undefined ? {} : { lifespan }),
      ...(expiresIn === undefined ? {} : { expiresIn: parseEnd(expiresIn) }),
      description: flags.description ?? null,
      replace: flags.force,
    };
  }
}
