import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable } from '../../cli/terminal/text-layout.js';

export default class WebhookList extends BaseCommand<typeof WebhookList> {
  static override description = 'List webhooks, including those of the configuration.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override flags = remoteFlag;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const webhooks = await withAdministration(project, this.messages.warn, (api) => api.webhooks.list({}));
    if (webhooks.length === 0) this.info('There are no webhooks yet. Add one with: cms webhook add');
    const text = printTable(
      webhooks,
      [
        { header: 'NAME', value: ({ name }) => name },
        { header: 'URL', value: ({ url }) => url },
        { header: 'EVENTS', value: ({ events }) => events.join(' ') },
        { header: 'TYPES', value: ({ types }) => types.join(' ') || 'all', optional: true },
        { header: 'LOCALES', value: ({ locales }) => locales.join(' ') || 'all', optional: true },
        { header: 'STATE', value: ({ isEnabled }) => (isEnabled ? 'enabled' : 'disabled') },
        {
          header: 'STORED IN',
          value: ({ isDeclared }) => (isDeclared ? 'configuration' : 'database'),
          optional: true,
        },
      ],
      this.style,
    );
    return { json: webhooks, text };
  }
}
