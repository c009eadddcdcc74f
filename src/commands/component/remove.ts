import * as Args from '@oclif/core/args';
import { removeComponent } from '../../project/scaffold/remove-schema.js';
import { resolveComponent } from '../../project/scaffold/resolve-name.js';
import type { Outcome } from '../../cli/outcome.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import { schemaFlags } from '../../cli/flags.js';

export default class ComponentRemove extends SchemaCommand<typeof ComponentRemove> {
  static override description = 'Remove an unused component.';
  static override examples = ['<%= config.bin %> <%= command.id %> shared.seo'];
  static override args = {
    name: Args.string({ required: true, description: 'Component, such as shared.seo or seo.' }),
  };
  static override flags = { ...schemaFlags };
  static override completion = { name: 'component' } as const;

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const component = resolveComponent(session.edits.definitions.components, this.args.name);
    await removeComponent(session.edits, component);
    return session.commit({
      label: `remove ${component.uid}`,
      json: { uid: component.uid },
      text: component.uid,
    });
  }
}
