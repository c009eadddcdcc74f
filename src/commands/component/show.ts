import * as Args from '@oclif/core/args';
import { openProject } from '../../project/open/open-project.js';
import { resolveComponent } from '../../project/scaffold/resolve-name.js';
import { BaseCommand } from '../../cli/base-command.js';
import { describeComponent } from '../../cli/schema/describe-schema.js';
import type { Outcome } from '../../cli/outcome.js';

export default class ComponentShow extends BaseCommand<typeof ComponentShow> {
  static override description = 'Show a component, its attributes and the schemas that use it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> shared.seo',
    '<%= config.bin %> <%= command.id %> seo --json',
  ];
  static override args = {
    name: Args.string({ required: true, description: 'Component, such as shared.seo or seo.' }),
  };
  static override completion = { name: 'component' } as const;

  async run(): Promise<Outcome> {
    const { model } = await openProject(this.projectRoot);
    return describeComponent(
      resolveComponent(model.components, this.args.name),
      [...model.types, ...model.components],
      this.style,
    );
  }
}
