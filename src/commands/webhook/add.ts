import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { requireLocales } from '../../access/access.js';
import { openProject } from '../../project/open/open-project.js';
import type { Project } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { readStdin } from '../../cli/prompts/secret.js';
import { webhookJson, withWebhooks } from '../../cli/webhooks.js';
import { WEBHOOK_EVENTS, webhooks as webhooksCheck } from '../../config/webhook-settings.js';
import { createError } from '../../errors/catalogue.js';
import { shellWord } from '../../lib/text.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import { createSecret, fromStored } from '../../api/webhooks/webhook.js';
import type { StoredWebhook } from '../../api/webhooks/webhook.js';

const list = { multiple: true, multipleNonGreedy: true, delimiter: ',' } as const;

const parseHeader = (text: string): readonly [string, string] => {
  const colon = text.indexOf(':');
  if (colon > 0) return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  throw createError('webhook/invalid', {
    reason: `${text} is no header.`,
    remedy: 'Write headers as --header "Authorization: Bearer …".',
  });
};

export default class WebhookAdd extends BaseCommand<typeof WebhookAdd> {
  static override summary = 'Have a URL told of what happens to content.';
  static override description =
    'It is kept in the database, and told from within a second on. With --sign a secret is created and ' +
    'printed once; receivers check signatures with it as Standard Webhooks says.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> build https://example.com/hook ' +
      '--event entry.publish --event entry.unpublish',
    'SECRET=$(<%= config.bin %> <%= command.id %> search https://example.com/search --type article --sign)',
  ];
  static override args = {
    name: Args.string({ required: true, description: 'What commands call it.' }),
    url: Args.string({ required: true, description: 'The address that is sent a POST request.' }),
  };
  static override flags = {
    event: Flags.string({
      ...list,
      options: [...WEBHOOK_EVENTS],
      description: 'What it is told of. [default: all]',
    }),
    type: Flags.string({ ...list, description: 'Only of these types: article. [default: all]' }),
    locale: Flags.string({ ...list, description: 'Only of these locales. [default: all]' }),
    header: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'A header of each request: "Authorization: Bearer …". May be repeated.',
    }),
    sign: Flags.boolean({
      description: 'Create a secret, sign with it, and print it.',
      exclusive: ['secret'],
    }),
    secret: Flags.string({
      description: 'Sign with a secret of your own: only - is allowed, which reads it from standard input.',
      options: ['-'],
    }),
    timeout: Flags.integer({
      description: 'Milliseconds after which an attempt is given up. [default: 10000]',
    }),
    retries: Flags.integer({ description: 'How often an attempt that fails is repeated. [default: 8]' }),
    'retry-pause': Flags.integer({
      description:
        'Milliseconds before the first repetition; then three times as long each. [default: 10000]',
    }),
    ...dryRunFlag,
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const isDryRun = this.flags['dry-run'];
    const webhook = await this.#input(project);
    const added = await withWebhooks(project, async ({ registry, locales }) => {
      requireLocales(webhook.locales ?? [], await locales());
      if ((await registry.current()).some(({ name }) => name === webhook.name))
        throw createError('webhook/exists', { name: webhook.name, word: shellWord(webhook.name) });
      return isDryRun ? { ...webhook, id: 'new' } : registry.add(webhook);
    });
    const json = webhookJson(fromStored(added));
    const { name, url } = added;
    if (isDryRun) return { json: { ...json, dryRun: true }, text: `Would add the webhook ${name}: ${url}` };
    this.info(`Added the webhook ${name}: ${url}`);
    if (!this.flags.sign) return { json };
    this.info('Its secret is shown only once:');
    return { json: { ...json, secret: added.secret }, text: added.secret ?? '' };
  }

  async #input({ model }: Project): Promise<Omit<StoredWebhook, 'id'>> {
    const { flags } = this;
    const secret = flags.sign
      ? createSecret()
      : flags.secret === undefined
        ? undefined
        : (await readStdin(this.terminal)).trim();
    const input = {
      name: this.args.name,
      url: this.args.url,
      events: flags.event ?? [...WEBHOOK_EVENTS],
      headers: Object.fromEntries((flags.header ?? []).map(parseHeader)),
      ...(flags.type && { types: flags.type.map((type) => resolveType(model.types, type).uid) }),
      ...(flags.locale && { locales: flags.locale }),
      ...(secret === undefined ? {} : { secret }),
      ...(flags.timeout === undefined ? {} : { timeout: flags.timeout }),
      ...(flags.retries === undefined ? {} : { retries: flags.retries }),
      ...(flags['retry-pause'] === undefined ? {} : { retryPause: flags['retry-pause'] }),
    };
    const [checked] = webhooksCheck.read([input]) ?? [];
    if (checked === undefined)
      throw createError('webhook/invalid', {
        reason: `This is no webhook: ${input.name} ${input.url}.`,
        remedy: `A webhook is ${webhooksCheck.allowed.replace('a list of ', '')}.`,
      });
    const { enabled: _enabled, headers = {}, ...kept } = checked;
    return { ...kept, headers, isEnabled: true };
  }
}
