import { openProject } from '../../app/open-project.js';
import { graphqlOptionsOf } from '../../graphql/graphql-options.js';
import { buildSchema, printSdl } from '../../graphql/schema/build-schema.js';
import { BaseCommand } from '../base.js';
import type { Outcome } from '../support/outcome.js';

export default class GraphqlSchema extends BaseCommand<typeof GraphqlSchema> {
  static override description = 'Print the GraphQL schema in SDL.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> > schema.graphql'];

  async run(): Promise<Outcome> {
    const { model, config } = await openProject(this.projectRoot);
    const options = graphqlOptionsOf(config);
    const sdl = printSdl(buildSchema(model, { shadowCRUD: options?.shadowCRUD ?? true, isLocale: () => true, subscriptions: options?.subscriptions !== null }));
    return { json: { sdl }, text: sdl.trimEnd() };
  }
}
