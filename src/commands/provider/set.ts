import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag, commaSeparated } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { readStdin } from '../../cli/prompts/secret.js';

export default class ProviderSet extends BaseCommand<typeof ProviderSet> {
  static override summary = 'Set up a sign-in provider.';
  static override description =
    'Stores the settings in the database, like imported ones. Settings that no flag sets stay ' +
    'unchanged. The environment can also hold keys and secrets: CMS_PROVIDER_GITHUB_KEY and ' +
    'CMS_PROVIDER_GITHUB_SECRET.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> github --key 0a1b2c ' +
      '--callback https://example.com/connect/github',
    '<%= config.bin %> <%= command.id %> acme --issuer https://id.example.com --key cms',
  ];
  static override args = {
    name: Args.string({ required: true, description: 'Provider: github, or a custom name.' }),
  };
  static override flags = {
    key: Flags.string({ description: 'Client id of this server at the provider.' }),
    secret: Flags.string({
      description: 'Client secret: only "-" is allowed, which reads it from standard input.',
      options: ['-'],
    }),
    callback: Flags.string({
      description: 'Page of the front end to show at the end of the sign-in.',
      helpValue: '<url>',
    }),
    scope: Flags.string({
      ...commaSeparated,
      description: 'Scopes to request. [default: name and address]',
    }),
    subdomain: Flags.string({
      description: 'Address of the provider: my.subdomain.com/realms/one for Keycloak.',
    }),
    issuer: Flags.string({
      description: 'Issuer URL of an OpenID Connect provider.',
      helpValue: '<url>',
    }),
    ...remoteFlag,
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const { key, secret, callback, scope, subdomain, issuer, 'dry-run': dryRun } = this.flags;
    const { name } = this.args;
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const values = {
      ...(key && { key }),
      ...(secret && { secret: (await readStdin(this.terminal)).trim() }),
      ...(callback && { callback }),
      ...(scope && { scope }),
      ...(subdomain && { subdomain }),
      ...(issuer && { issuer }),
    };
    const provider = await withAdministration(project, this.messages.warn, ({ providers }) =>
      providers.change({ name, values, dryRun }),
    );
    this.info(`Register this redirect URL with the provider: ${provider.redirect}`);
    if (!provider.isEnabled) this.info(`Enable it with: cms provider enable ${name}`);
    return {
      json: { ...provider, ...(dryRun ? { dryRun } : {}) },
      text: `${dryRun ? 'Would set up' : 'Set up'} signing in with ${name}.`,
    };
  }
}
