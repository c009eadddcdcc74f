import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { openProject } from '../project/open/open-project.js';
import type { Project } from '../project/open/open-project.js';
import { resolveActionGroup } from '../cli/access/tokens-and-permissions.js';
import { BaseCommand } from '../cli/base-command.js';
import type { Outcome } from '../cli/outcome.js';
import { filterRoutes, listRoutes, loadCallers, loadCallersAndRole } from '../cli/server/list-routes.js';
import type { Callers, RouteSummary } from '../cli/server/list-routes.js';
import { printTable } from '../cli/terminal/text-layout.js';

/** Columns to show if files of the project or of plugins declare routes. */
const CODE_COLUMNS = [
  {
    header: 'POLICIES',
    value: ({ policies, middlewares }: RouteSummary) => [...policies, ...middlewares].join(' ') || '–',
    optional: true,
  },
  { header: 'SOURCE', value: ({ source }: RouteSummary) => source ?? '–' },
];

export default class Routes extends BaseCommand<typeof Routes> {
  static override summary = 'List API routes and the roles and tokens that may call them.';
  static override description = 'Also shows the action, the policies and the file of each route.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> article --role public',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override args = {
    type: Args.string({ description: 'List only the routes of this content-type or controller.' }),
  };
  static override flags = {
    role: Flags.string({ description: 'List only the routes that this role may call.' }),
  };
  static override completion = { type: 'grantable', role: 'role' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const uid = this.args.type === undefined ? null : resolveActionGroup(project.model, this.args.type).uid;
    const { callers, role } = await this.#loadCallers(project);
    const routes = filterRoutes(await listRoutes(project, callers), { uid, role });
    if (routes.length === 0)
      this.info(
        `There are no such routes. Grant some with: cms permissions set ${role ?? 'public'} ` +
          `${uid ?? '<type>'} find`,
      );
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
        ...(routes.some(({ source }) => source !== null) ? CODE_COLUMNS : []),
      ],
      this.style,
    );
    return { json: routes, text };
  }

  #loadCallers(project: Project): Promise<{ readonly callers: Callers; readonly role: string | null }> {
    const { role } = this.flags;
    if (role !== undefined) return loadCallersAndRole(project, role);
    return loadCallers(project, (text) => this.warn(text)).then((callers) => ({ callers, role: null }));
  }
}
