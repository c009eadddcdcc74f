import * as Args from '@oclif/core/args';
import { addAttributes } from '../../scaffold/add-attributes.js';
import { chooseAttributes } from '../support/new-attributes.js';
import type { Outcome } from '../support/outcome.js';
import { resolveHolder } from '../support/resolve-holder.js';
import { SchemaCommand } from '../support/schema-command.js';
import { schemaFlags } from '../support/schema-flags.js';

export default class FieldAdd extends SchemaCommand<typeof FieldAdd> {
  static override description = 'Add attributes to a content-type or a component. Asks for them where none is named.';
  static override examples = [
    "<%= config.bin %> <%= command.id %> article 'subtitle:string:maxLength=80' 'views:integer:min=0,default=0'",
    "<%= config.bin %> <%= command.id %> article 'author:relation:manyToOne,target=author,inversedBy=articles'",
    "<%= config.bin %> <%= command.id %> shared.seo 'keywords:text' --dry-run",
  ];
  static override args = {
    uid: Args.string({ required: true, description: 'The type (article) or component (shared.seo).' }),
    attribute: Args.string({ multiple: true, description: 'Attributes as name:type:options.' }),
  };
  static override flags = { ...schemaFlags };
  static override completion = { uid: 'type' } as const;

  async run(): Promise<Outcome> {
    const change = await this.openEdits();
    const holder = resolveHolder(change.edits.definitions, this.args.uid);
    const asking = { terminal: this.terminal, canPrompt: this.canPrompt, edits: change.edits, info: (text: string) => this.info(text) };
    const attributes = await chooseAttributes(asking, holder, this.args.attribute ?? []);
    await addAttributes(change.edits, holder, attributes);
    const names = attributes.map(({ name }) => name);
    return change.commit({ label: `add ${names.join(' ')} to ${holder.uid.split('.').at(-1) ?? ''}`, json: { uid: holder.uid, attributes: names }, text: names.map((name) => `${holder.uid} ${name}`).join('\n') });
  }
}
