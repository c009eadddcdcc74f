import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { addType } from '../../scaffold/add-type.js';
import { chooseType } from '../support/new-type.js';
import type { Outcome } from '../support/outcome.js';
import { SchemaCommand } from '../support/schema-command.js';
import { attributeFlag, schemaFlags } from '../support/schema-flags.js';

export default class TypeAdd extends SchemaCommand<typeof TypeAdd> {
  static override description = 'Make a content-type: its file, its tables, its API. Asks for what is not said.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> article --draft-publish --attribute 'title:string:required,maxLength=120' --attribute 'slug:uid:targetField=title'",
    "<%= config.bin %> <%= command.id %> article --attribute 'author:relation:manyToOne,target=author,inversedBy=articles' --dry-run",
    '<%= config.bin %> <%= command.id %> --from schema.json',
  ];
  static override args = { name: Args.string({ description: 'Its name: article, or "Blog Post".' }) };
  static override flags = {
    plural: Flags.string({ description: 'The plural, as in the address; derived where left out.' }),
    'display-name': Flags.string({ description: 'The name people read.' }),
    description: Flags.string({ description: 'What it is for.' }),
    kind: Flags.option({ options: ['collection', 'single'] as const, description: 'Many documents, or one.' })(),
    'draft-publish': Flags.boolean({ allowNo: true, description: 'Drafts, published when ready.' }),
    localized: Flags.boolean({ allowNo: true, description: 'Content in several languages.' }),
    ...attributeFlag,
    from: Flags.string({ description: 'Take it from a schema file; "-" reads standard input.', helpValue: '<file|->' }),
    ...schemaFlags,
  };
  static override completion = { from: 'path' } as const;

  async run(): Promise<Outcome> {
    const change = await this.openEdits();
    const asking = { terminal: this.terminal, canPrompt: this.canPrompt, edits: change.edits, info: (text: string) => this.info(text) };
    const type = await chooseType(asking, this.args.name, this.flags);
    const uid = await addType(change.edits, type);
    return change.commit({ label: `add ${type.names.singularName}`, json: { uid }, text: uid });
  }
}
