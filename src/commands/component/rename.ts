import * as Args from '@oclif/core/args';
import { schemaFlags } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import type { Validity } from '../../cli/prompts/prompt.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import { renameComponent } from '../../project/scaffold/rename-schema.js';
import { resolveComponent } from '../../project/scaffold/resolve-name.js';

export default class ComponentRename extends SchemaCommand<typeof ComponentRename> {
  static override summary = 'Rename a component, or move it to another category.';
  static override description = 'Keeps its values everywhere the component is used.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> shared.seo shared.meta',
    '<%= config.bin %> <%= command.id %> shared.seo page.seo --dry-run',
  ];
  static override args = {
    name: Args.string({ required: true, description: 'Component, such as shared.seo or seo.' }),
    new: Args.string({ required: true, description: 'New category and name: shared.meta.' }),
  };
  static override flags = { ...schemaFlags };
  static override completion = { name: 'component' } as const;

  protected override async checkArgument(name: string, text: string): Promise<Validity> {
    if (name !== 'new') return true;
    const { edits, check } = await this.openSchemaEdits();
    const component = resolveComponent(edits.definitions.components, this.args.name);
    return check((copy) => renameComponent(copy, component, text));
  }

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const { name, new: to } = this.args;
    const describe = (from: string) => ({
      label: `rename ${from} to ${to}`,
      json: { uid: to, from },
      text: to,
      formerNames: [from],
    });
    const resumed = await this.resumeRename(session, { schema: null, from: name, to }, ({ from }) =>
      describe(from),
    );
    if (resumed !== null) return resumed;
    const component = resolveComponent(session.edits.definitions.components, name);
    const from = component.uid;
    await renameComponent(session.edits, component, to);
    return session.commit({ ...describe(from), renames: [{ kind: 'component', from, to }] });
  }
}
