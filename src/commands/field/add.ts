import * as Args from '@oclif/core/args';
import { lastSegment } from '../../lib/ids.js';
import { addChosenAttributes, chooseAttributes } from '../../cli/schema/choose-attributes.js';
import type { Outcome } from '../../cli/outcome.js';
import { resolveSchema } from '../../project/scaffold/resolve-name.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import { decisionFlags, schemaFlags } from '../../cli/flags.js';

export default class FieldAdd extends SchemaCommand<typeof FieldAdd> {
  static override summary = 'Add attributes to a content-type or a component.';
  static override description = 'Prompts for attributes if none are given.';
  static override examples = [
    "<%= config.bin %> <%= command.id %> article 'subtitle:string:maxLength=80' " +
      "'views:integer:min=0,default=0'",
    '<%= config.bin %> <%= command.id %> article ' +
      "'author:relation:manyToOne,target=author,inversedBy=articles'",
    "<%= config.bin %> <%= command.id %> shared.seo 'keywords:text' --dry-run",
    '<%= config.bin %> <%= command.id %> article ' +
      "'owner:relation:manyToOne,target=plugin::users-permissions.user,default=$caller'",
    "<%= config.bin %> <%= command.id %> article 'source:string:required' --set article.source=unknown",
  ];
  static override args = {
    type: Args.string({ required: true, description: 'Content-type (article) or component (shared.seo).' }),
    attribute: Args.string({ multiple: true, description: 'Attributes as name:type:options.' }),
  };
  static override flags = { ...decisionFlags, ...schemaFlags };
  static override completion = { type: 'schema' } as const;

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const { schema, attributes, newTypes } = await this.ask(async (wizard) => {
      const found = resolveSchema(session.edits.definitions, this.args.type);
      const chosen = await chooseAttributes(wizard, session, found, this.args.attribute ?? []);
      return { schema: found, ...chosen };
    });
    await addChosenAttributes(session.edits, schema, { attributes, newTypes });
    const names = attributes.map(({ name }) => name);
    return session.commit({
      label: `add ${names.join(' ')} to ${lastSegment(schema.uid)}`,
      json: { uid: schema.uid, attributes: names },
      text: names.map((name) => `${schema.uid} ${name}`).join('\n'),
    });
  }
}
