import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { summarizeComponent } from '../../cli/schema/describe-schema.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable } from '../../cli/terminal/text-layout.js';

export default class ComponentList extends BaseCommand<typeof ComponentList> {
  static override description = 'List components and the schemas that use them.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];

  async run(): Promise<Outcome> {
    const { model } = await openProject(this.projectRoot);
    const components = model.components.map((component) =>
      summarizeComponent(component, [...model.types, ...model.components]),
    );
    if (components.length === 0)
      this.info('There are no components yet. Create one with: cms component add shared.seo');
    const text = printTable(
      components,
      [
        { header: 'COMPONENT', value: ({ uid }) => uid },
        { header: 'NAME', value: ({ displayName }) => displayName, optional: true },
        { header: 'ATTRIBUTES', value: ({ attributeCount }) => attributeCount, align: 'right' },
        { header: 'USED BY', value: ({ usedBy }) => usedBy.join(', ') || '–' },
      ],
      this.style,
    );
    return { json: components, text };
  }
}
