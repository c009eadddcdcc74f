import * as Args from '@oclif/core/args';
import { removeComponent } from '../../scaffold/remove.js';
import { resolveComponent } from '../../scaffold/resolve-name.js';
import type { Outcome } from '../support/outcome.js';
import { SchemaCommand } from '../support/schema-command.js';
import { schemaFlags } from '../support/schema-flags.js';

export default class ComponentRemove extends SchemaCommand<typeof ComponentRemove> {
  static override description = 'Remove a component that nothing uses.';
  static override examples = ['<%= config.bin %> <%= command.id %> shared.seo'];
  static override args = { name: Args.string({ required: true, description: 'The component: shared.seo, or seo.' }) };
  static override flags = { ...schemaFlags };
  static override completion = { name: 'component' } as const;

  async run(): Promise<Outcome> {
    const change = await this.openEdits();
    const component = resolveComponent(change.edits.definitions.components, this.args.name);
    await removeComponent(change.edits, component);
    return change.commit({ label: `remove ${component.uid}`, json: { uid: component.uid }, text: component.uid });
  }
}
