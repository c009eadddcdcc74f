import * as Flags from '@oclif/core/flags';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { summarizeType } from '../../cli/schema/describe-schema.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable } from '../../cli/terminal/text-layout.js';

export default class TypeList extends BaseCommand<typeof TypeList> {
  static override description = 'List content-types.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --builtin --json',
  ];
  static override flags = {
    builtin: Flags.boolean({ description: 'Include built-in types: users, roles, permissions and files.' }),
  };

  async run(): Promise<Outcome> {
    const { model } = await openProject(this.projectRoot);
    const types = model.types
      .filter((type) => type.origin !== 'builtin' || this.flags.builtin)
      .map(summarizeType);
    if (types.length === 0) this.info('There are no content-types yet. Create one with: cms type add');
    const text = printTable(
      types,
      [
        { header: 'TYPE', value: ({ uid }) => uid },
        { header: 'KIND', value: ({ kind }) => (kind === 'singleType' ? 'single' : 'collection') },
        { header: 'NAME', value: ({ displayName }) => displayName },
        {
          header: 'ATTRIBUTES',
          value: ({ attributeCount }) => attributeCount,
          align: 'right',
          optional: true,
        },
        { header: 'DRAFTS', value: ({ draftAndPublish }) => (draftAndPublish ? 'yes' : 'no') },
        { header: 'LOCALISED', value: ({ localized }) => (localized ? 'yes' : 'no') },
      ],
      this.style,
    );
    return { json: types, text };
  }
}
