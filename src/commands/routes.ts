import { openProject } from '../app/open-project.js';
import { BaseCommand } from '../cli/base-command.js';
import type { Outcome } from '../cli/outcome.js';
import { loadCallers, listRoutes } from '../cli/server/list-routes.js';
import { printTable } from '../cli/terminal/table.js';

export default class Routes extends BaseCommand<typeof Routes> {
  static override description =
    'List every route with its method, action, and the roles and tokens that may call it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const callers = await loadCallers(project, (text) => this.warn(text));
    const routes = listRoutes(project, callers);
    const text = printTable(
      routes,
      [
        { header: 'METHOD', value: ({ method }) => method },
        { header: 'PATH', value: ({ path }) => path },
        { header: 'ACTION', value: ({ action }) => action ?? '–', optional: true },
        {
          header: 'ROLES',
          value: ({ action, roles }) => (action === null ? 'everybody' : roles.join(' ') || '–'),
        },
        { header: 'TOKENS', value: ({ tokens }) => tokens.join(' ') || '–' },
      ],
      this.style,
    );
    return { json: routes, text };
  }
}
