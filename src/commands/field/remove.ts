import * as Args from '@oclif/core/args';
import { lastSegment } from '../../lib/ids.js';
import { removeAttributeFrom } from '../../project/scaffold/remove-schema.js';
import { resolveAttribute, resolveSchema } from '../../project/scaffold/resolve-name.js';
import type { Outcome } from '../../cli/outcome.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import { schemaFlags } from '../../cli/flags.js';

export default class FieldRemove extends SchemaCommand<typeof FieldRemove> {
  static override summary = 'Remove attributes, and the inverse sides of bidirectional relations.';
  static override description = 'Removes stored values only with --accept-data-loss.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article subtitle --dry-run',
    '<%= config.bin %> <%= command.id %> article subtitle views --accept-data-loss',
  ];
  static override args = {
    type: Args.string({ required: true, description: 'Content-type (article) or component (shared.seo).' }),
    name: Args.string({ required: true, multiple: true, description: 'Names of the attributes.' }),
  };
  static override flags = { ...schemaFlags };
  static override completion = { type: 'schema', name: 'field' } as const;

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const schema = resolveSchema(session.edits.definitions, this.args.type);
    const names = [...new Set(this.args.name)].map((name) => resolveAttribute(schema, name));
    const inverseSides: string[] = [];
    for (const name of names.filter((attribute) => !inverseSides.includes(`${schema.uid} ${attribute}`)))
      for (const inverse of await removeAttributeFrom(session.edits, schema, name))
        inverseSides.push(`${inverse.schema.uid} ${inverse.attribute}`);
    for (const inverse of inverseSides) this.info(`Also removes its inverse: ${inverse}`);
    const label = `remove ${names.join(' ')} from ${lastSegment(schema.uid)}`;
    return session.commit({
      label,
      json: { uid: schema.uid, attributes: names, otherSides: inverseSides },
      text: names.map((name) => `${schema.uid} ${name}`).join('\n'),
      formerNames: names,
    });
  }
}
