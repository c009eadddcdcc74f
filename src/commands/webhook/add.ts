import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type { Project } from '../../project/open/open-project.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag, commaSeparated, repeatable } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { readStdin } from '../../cli/prompts/secret.js';
import { PURGE_EVENT, PURGE_SERVICES, WEBHOOK_EVENTS } from '../../config/webhook-settings.js';
import type { PurgeService, WebhookInput } from '../../config/webhook-settings.js';
import { createError } from '../../errors/catalogue.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import { createSecret } from '../../api/webhooks/webhook.js';

const parseHeader = (text: string): readonly [string, string] => {
  const colon = text.indexOf(':');
  if (colon > 0) return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  throw createError('webhook/invalid', {
    reason: `${text} is not a header.`,
    remedy: 'Write headers as --header "Authorization: Bearer …".',
  });
};

export default class WebhookAdd extends BaseCommand<typeof WebhookAdd> {
  static override summary = 'Add a webhook that sends content changes to a URL.';
  static override description =
    'Stores the webhook in the database; servers use it within a second. With --sign, creates a ' +
    'secret and prints it once. Receivers use it to verify signatures as Standard Webhooks specifies.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> build https://example.com/hook ' +
      '--event entry.publish --event entry.unpublish',
    'SECRET=$(<%= config.bin %> <%= command.id %> search https://example.com/search --type article --sign)',
    '<%= config.bin %> <%= command.id %> site https://example.com/api/purge --event cache.purge --sign',
    '<%= config.bin %> <%= command.id %> proxy http://127.0.0.1:6081 --purge varnish',
  ];
  static override args = {
    name: Args.string({ required: true, description: 'Name of the webhook.' }),
    url: Args.string({ required: true, description: 'URL to send POST requests to.' }),
  };
  static override flags = {
    event: Flags.string({
      ...commaSeparated,
      options: [...WEBHOOK_EVENTS, PURGE_EVENT],
      description: 'Events to send. [default: all but cache.purge]',
    }),
    type: Flags.string({
      ...commaSeparated,
      description: 'Content-types to send events of: article. [default: all]',
    }),
    locale: Flags.string({ ...commaSeparated, description: 'Locales to send events of. [default: all]' }),
    header: Flags.string({
      ...repeatable,
      description: 'Header of each request: "Authorization: Bearer …". May be repeated.',
    }),
    purge: Flags.string({
      options: [...PURGE_SERVICES],
      description: 'Purge the cache of a service by tags, with its API token as the secret.',
      exclusive: ['event', 'type', 'locale', 'sign'],
    }),
    sign: Flags.boolean({
      description: 'Create a secret, sign requests with it and print it.',
      exclusive: ['secret'],
    }),
    secret: Flags.string({
      description:
        'Sign with a custom secret, or pass an API token for --purge. Only "-" is allowed, which reads it ' +
        'from standard input.',
      options: ['-'],
    }),
    timeout: Flags.integer({
      description: 'Timeout of each attempt in milliseconds. [default: 10000]',
    }),
    retries: Flags.integer({ description: 'Number of retries of a failed attempt. [default: 8]' }),
    'retry-pause': Flags.integer({
      description:
        'Milliseconds before the first retry; each later pause is three times as long. [default: 10000]',
    }),
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, { remote: this.flags.remote }, this.messages);
    const isDryRun = this.flags['dry-run'];
    const webhook = await this.#input(project);
    const json = await withAdministration(project, this.messages.warn, ({ webhooks }) =>
      webhooks.add({ webhook: { ...webhook }, dryRun: isDryRun }),
    );
    const { name, url } = json;
    if (isDryRun) return { json: { ...json, dryRun: true }, text: `Would add the webhook ${name}: ${url}` };
    this.info(`Added the webhook ${name}: ${url}`);
    if (!this.flags.sign) return { json };
    this.info('Its secret is shown only once:');
    const { secret = '' } = webhook;
    return { json: { ...json, secret }, text: secret };
  }

  async #input({ model }: Project): Promise<WebhookInput> {
    const { flags } = this;
    const secret = flags.sign
      ? createSecret()
      : flags.secret === undefined
        ? undefined
        : (await readStdin(this.terminal)).trim();
    return {
      name: this.args.name,
      url: this.args.url,
      events: flags.purge === undefined ? (flags.event ?? [...WEBHOOK_EVENTS]) : [PURGE_EVENT],
      headers: Object.fromEntries((flags.header ?? []).map(parseHeader)),
      ...(flags.type && { types: flags.type.map((type) => resolveType(model.types, type).uid) }),
      ...(flags.locale && { locales: flags.locale }),
      ...(secret === undefined ? {} : { secret }),
      ...(flags.purge === undefined ? {} : { purge: flags.purge as PurgeService }),
      ...(flags.timeout === undefined ? {} : { timeout: flags.timeout }),
      ...(flags.retries === undefined ? {} : { retries: flags.retries }),
      ...(flags['retry-pause'] === undefined ? {} : { retryPause: flags['retry-pause'] }),
    };
  }
}
