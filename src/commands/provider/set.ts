import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { changeProvider, providerJson, providerRedirect } from '../../cli/access/providers.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { readStdin } from '../../cli/prompts/secret.js';

export default class ProviderSet extends BaseCommand<typeof ProviderSet> {
  static override summary = 'Set up a service whose accounts sign people in.';
  static override description =
    'The settings are kept in the database, where imported ones are, too. What is not given stays. Keys ' +
    'and secrets may also come from the environment, as CMS_PROVIDER_GITHUB_KEY and ' +
    'CMS_PROVIDER_GITHUB_SECRET.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> github --key 0a1b2c ' +
      '--callback https://example.com/connect/github',
    '<%= config.bin %> <%= command.id %> acme --issuer https://id.example.com --key cms',
  ];
  static override args = {
    name: Args.string({ required: true, description: 'The provider: github, or a name of your own.' }),
  };
  static override flags = {
    key: Flags.string({ description: 'What the service knows this server by: its client id.' }),
    secret: Flags.string({
      description: 'The secret of the service: only - is allowed, which reads it from standard input.',
      options: ['-'],
    }),
    callback: Flags.string({
      description: 'The page of the front end that is shown at the end.',
      helpValue: '<url>',
    }),
    scope: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      description: 'What is asked of the service. [default: name and address]',
    }),
    subdomain: Flags.string({
      description: 'Where the service is: my.subdomain.com/realms/one for Keycloak.',
    }),
    issuer: Flags.string({
      description: 'The address of a service that speaks OpenID Connect.',
      helpValue: '<url>',
    }),
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const { key, secret, callback, scope, subdomain, issuer, 'dry-run': isDryRun } = this.flags;
    const { name } = this.args;
    const project = await openProject(this.projectRoot);
    const values = {
      ...(key && { key }),
      ...(secret && { secret: (await readStdin(this.terminal)).trim() }),
      ...(callback && { callback }),
      ...(scope && { scope }),
      ...(subdomain && { subdomain }),
      ...(issuer && { issuer }),
    };
    const provider = await changeProvider(project, { name, values, isDryRun });
    this.info(`Tell the service this address: ${providerRedirect(project, name)}`);
    if (!provider.isEnabled) this.info(`Switch it on with: cms provider enable ${name}`);
    return {
      json: { ...providerJson(project, provider), ...(isDryRun ? { dryRun: true } : {}) },
      text: `${isDryRun ? 'Would set up' : 'Set up'} signing in with ${name}.`,
    };
  }
}
