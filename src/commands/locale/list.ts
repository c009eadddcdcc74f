import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable } from '../../cli/terminal/text-layout.js';

export default class LocaleList extends BaseCommand<typeof LocaleList> {
  static override description = 'List locales.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override flags = remoteFlag;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const locales = await withAdministration(project, this.messages.warn, (api) => api.locales.list({}));
    const text = printTable(
      locales,
      [
        { header: 'CODE', value: ({ code }) => code },
        { header: 'NAME', value: ({ name }) => name },
        { header: 'DEFAULT', value: ({ isDefault }) => (isDefault ? 'yes' : '') },
      ],
      this.style,
    );
    return { json: locales, text };
  }
}
