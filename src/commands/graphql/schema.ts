import { openProject } from '../../app/open-project.js';
import { printGraphqlSchema } from '../../app/print-graphql-schema.js';
import { BaseCommand } from '../base.js';
import type { Outcome } from '../support/outcome.js';

export default class GraphqlSchema extends BaseCommand<typeof GraphqlSchema> {
  static override description = 'Print the GraphQL schema in SDL, with what the project adds to it.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> > schema.graphql'];

  async run(): Promise<Outcome> {
    const sdl = await printGraphqlSchema(await openProject(this.projectRoot));
    return { json: { sdl }, text: sdl.trimEnd() };
  }
}
