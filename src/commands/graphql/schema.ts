import { openProject } from '../../project/open/open-project.js';
import { printGraphqlSchema } from '../../project/print-graphql-schema.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';

export default class GraphqlSchema extends BaseCommand<typeof GraphqlSchema> {
  static override summary = 'Print the GraphQL schema in SDL.';
  static override description = 'Includes the extensions of the project.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> > schema.graphql',
  ];

  async run(): Promise<Outcome> {
    const sdl = await printGraphqlSchema(await openProject(this.projectRoot));
    return { json: { sdl }, text: sdl.trimEnd() };
  }
}
