import { isDeepStrictEqual } from 'node:util';
import * as Args from '@oclif/core/args';
import { attributeOptionFlags, decisionFlags, readAttributeEdit, schemaFlags } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import type { Wizard } from '../../cli/prompts/wizard.js';
import { applyAttributeEdit, promptAttributeEdit } from '../../cli/schema/choose-attributes.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import type { SchemaEditSession } from '../../cli/schema/schema-command.js';
import { createError } from '../../errors/catalogue.js';
import { lastSegment } from '../../lib/ids.js';
import { editAttribute } from '../../project/scaffold/edit-schema.js';
import type { AttributeEdit, ChangedAttribute } from '../../project/scaffold/edit-schema.js';
import { resolveAttribute, resolveSchema } from '../../project/scaffold/resolve-name.js';
import { readAttribute } from '../../project/scaffold/schema-project.js';
import type { SchemaDefinition, SchemaProject } from '../../project/scaffold/schema-project.js';

/** An attribute and the change to it. */
interface ChosenEdit {
  readonly schema: SchemaDefinition;
  readonly name: string;
  readonly apply: () => Promise<ChangedAttribute>;
}

export default class FieldEdit extends SchemaCommand<typeof FieldEdit> {
  static override summary = 'Change the type or options of an attribute.';
  static override description =
    'Converts stored values if possible. Shows lost and invalid values before it applies the change. ' +
    'Prompts for options if no flag sets any.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article title --required --max-length 120 --dry-run',
    "<%= config.bin %> <%= command.id %> article title --type text --set 'article.title=Untitled'",
    '<%= config.bin %> <%= command.id %> shared.seo metaTitle --unset maxLength',
  ];
  static override args = {
    type: Args.string({ required: true, description: 'Content-type (article) or component (shared.seo).' }),
    name: Args.string({ required: true, description: 'Name of the attribute.' }),
  };
  static override flags = { ...attributeOptionFlags, ...decisionFlags, ...schemaFlags };
  static override completion = {
    type: 'schema',
    name: 'field',
    '--type': 'attribute-type',
    component: 'component',
    target: 'type',
  } as const;

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const { schema, name, apply } = await this.ask((wizard) => this.#choose(session, wizard));
    const { before, after } = await apply();
    return session.commit({
      label: `edit ${name} of ${lastSegment(schema.uid)}`,
      json: { uid: schema.uid, attribute: name, before, after },
      text: `${schema.uid} ${name}`,
    });
  }

  async #choose(session: SchemaEditSession, wizard: Wizard | null): Promise<ChosenEdit> {
    const { edits } = session;
    const schema = resolveSchema(edits.definitions, this.args.type);
    const name = resolveAttribute(schema, this.args.name);
    const edit = readAttributeEdit(this.flags);
    if (edit !== null) return { schema, name, apply: () => this.#apply(edits, schema, name, edit) };
    const json = await readAttribute(edits, schema, name);
    if (json === null) throw createError('scaffold/builtin-not-editable', { name: `${schema.uid} ${name}` });
    if (wizard === null) throw createError('cli/missing-value', { label: 'an option, such as --required' });
    const choice = await promptAttributeEdit(wizard, session, schema, { name, json });
    if (isDeepStrictEqual(choice.json, json)) throw createError('cli/declined');
    return { schema, name, apply: () => applyAttributeEdit(edits, schema, name, choice) };
  }

  async #apply(
    edits: SchemaProject,
    schema: SchemaDefinition,
    name: string,
    edit: AttributeEdit,
  ): Promise<ChangedAttribute> {
    const changed = await editAttribute(edits, schema, name, edit);
    const { before, after } = changed;
    const dropped = Object.keys(before).filter((key) => !(key in after) && !edit.unset.includes(key));
    if (edit.type !== undefined && dropped.length > 0)
      this.info(`Removed with the type ${String(before['type'])}: ${dropped.join(', ')}`);
    return changed;
  }
}
