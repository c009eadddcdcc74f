import * as Args from '@oclif/core/args';
import { attributeOptionFlags, readAttributeEdit } from '../../cli/arguments/attribute-flags.js';
import { decisionFlags, schemaFlags } from '../../cli/arguments/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { promptAttributeEdit } from '../../cli/prompts/prompt-attribute-edit.js';
import { createPrompter } from '../../cli/prompts/prompt.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import { createError } from '../../errors/catalogue.js';
import { lastSegment } from '../../lib/uid.js';
import { editAttribute } from '../../scaffold/edit-attribute.js';
import type { AttributeEdit } from '../../scaffold/edit-attribute.js';
import { resolveAttribute, resolveSchema } from '../../scaffold/resolve-name.js';
import { readAttribute } from '../../scaffold/schema-project.js';
import type { SchemaDefinition, SchemaProject } from '../../scaffold/schema-project.js';

export default class FieldEdit extends SchemaCommand<typeof FieldEdit> {
  static override description =
    'Change the type or options of an attribute. Its values are converted where they can be; what would be ' +
    'lost or not fit is told first. Asks what to change where no flag says it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article title --required --max-length 120 --dry-run',
    "<%= config.bin %> <%= command.id %> article title --type text --set 'article.title=Untitled'",
    '<%= config.bin %> <%= command.id %> shared.seo metaTitle --unset maxLength',
  ];
  static override args = {
    uid: Args.string({ required: true, description: 'The type (article) or component (shared.seo).' }),
    name: Args.string({ required: true, description: 'The attribute.' }),
  };
  static override flags = { ...attributeOptionFlags, ...decisionFlags, ...schemaFlags };
  static override completion = {
    uid: 'type',
    name: 'field',
    component: 'component',
    target: 'type',
  } as const;

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const schema = resolveSchema(session.edits.definitions, this.args.uid);
    const name = resolveAttribute(schema, this.args.name);
    const edit = readAttributeEdit(this.flags) ?? (await this.#promptEdit(session.edits, schema, name));
    const { before, after } = await editAttribute(session.edits, schema, name, edit);
    const dropped = Object.keys(before).filter((key) => !(key in after) && !edit.unset.includes(key));
    if (edit.type !== undefined && dropped.length > 0)
      this.info(`Removed with the type ${String(before['type'])}: ${dropped.join(', ')}`);
    return session.commit({
      label: `edit ${name} of ${lastSegment(schema.uid)}`,
      json: { uid: schema.uid, attribute: name, before, after },
      text: `${schema.uid} ${name}`,
    });
  }

  async #promptEdit(edits: SchemaProject, schema: SchemaDefinition, name: string): Promise<AttributeEdit> {
    const json = await readAttribute(edits, schema, name);
    if (json === null) throw createError('scaffold/builtin-not-editable', { name: `${schema.uid} ${name}` });
    if (!this.canPrompt) throw createError('cli/missing-value', { label: 'an option, such as --required' });
    const edit = await promptAttributeEdit(createPrompter(this.terminal), json);
    if (edit.type === undefined && edit.options.length === 0 && edit.unset.length === 0)
      throw createError('cli/declined');
    return edit;
  }
}
