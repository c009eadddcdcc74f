import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable } from '../../cli/terminal/text-layout.js';

export default class ProviderList extends BaseCommand<typeof ProviderList> {
  static override description = 'List sign-in providers and the redirect URLs to register with them.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override flags = remoteFlag;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const providers = await withAdministration(project, this.messages.warn, (api) => api.providers.list({}));
    if (providers.length === 0) this.info('There are no providers yet. Set one up with: cms provider set');
    const text = printTable(
      providers,
      [
        { header: 'NAME', value: ({ name }) => name },
        { header: 'STATE', value: ({ isEnabled }) => (isEnabled ? 'enabled' : 'disabled') },
        { header: 'KEY', value: ({ key }) => key || '–' },
        { header: 'REDIRECT', value: ({ redirect }) => redirect },
        { header: 'PAGE', value: ({ callback }) => callback ?? '–', optional: true },
        {
          header: 'STORED IN',
          value: ({ isDeclared }) => (isDeclared ? 'configuration' : 'database'),
          optional: true,
        },
      ],
      this.style,
    );
    return { json: providers, text };
  }
}
