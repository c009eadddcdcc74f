import * as Args from '@oclif/core/args';
import { lastSegment } from '../../lib/ids.js';
import { renameAttributeIn } from '../../project/scaffold/rename-schema.js';
import { resolveAttribute, resolveSchema } from '../../project/scaffold/resolve-name.js';
import type { ContentRename } from '../../migrations/content/content-decisions.js';
import type { Outcome } from '../../cli/outcome.js';
import type { Validity } from '../../cli/prompts/prompt.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import { schemaFlags } from '../../cli/flags.js';

export default class FieldRename extends SchemaCommand<typeof FieldRename> {
  static override summary = 'Rename an attribute of a content-type or a component.';
  static override description = 'Keeps its data everywhere the attribute is used.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article title headline',
    '<%= config.bin %> <%= command.id %> article title headline --dry-run',
    '<%= config.bin %> <%= command.id %> shared.seo metaTitle title',
  ];
  static override args = {
    type: Args.string({ required: true, description: 'Content-type (article) or component (shared.seo).' }),
    old: Args.string({ required: true, description: 'Current name.' }),
    new: Args.string({ required: true, description: 'New name.' }),
  };
  static override flags = { ...schemaFlags };
  static override completion = { type: 'schema', old: 'field' } as const;

  protected override async checkArgument(name: string, text: string): Promise<Validity> {
    if (name !== 'new') return true;
    const { edits, check } = await this.openSchemaEdits();
    const schema = resolveSchema(edits.definitions, this.args.type);
    return check((copy) => renameAttributeIn(copy, schema, resolveAttribute(schema, this.args.old), text));
  }

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const schema = resolveSchema(session.edits.definitions, this.args.type);
    const { old, new: to } = this.args;
    const describe = (from: string) => ({
      label: `rename ${from} to ${to} in ${lastSegment(schema.uid)}`,
      json: { uid: schema.uid, from, to },
      text: `${schema.uid} ${to}`,
      formerNames: [from],
    });
    const resumed = await this.resumeRename(session, { schema: schema.uid, from: old, to }, () =>
      describe(old),
    );
    if (resumed !== null) return resumed;
    const from = resolveAttribute(schema, old);
    await renameAttributeIn(session.edits, schema, from, to);
    const { uid } = schema;
    const rename: ContentRename =
      'kind' in schema
        ? { kind: 'attribute', type: uid, from, to }
        : { kind: 'component-attribute', component: uid, from, to };
    return session.commit({ ...describe(from), renames: [rename] });
  }
}
