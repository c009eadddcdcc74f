import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { schemaFlags } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import type { Validity } from '../../cli/prompts/prompt.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import { renameType } from '../../project/scaffold/rename-schema.js';
import { lastSegment } from '../../lib/ids.js';
import { deriveTypeNames } from '../../project/scaffold/type-names.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

export default class TypeRename extends SchemaCommand<typeof TypeRename> {
  static override summary = 'Rename a content-type and keep its documents.';
  static override description = 'Renames its file, its tables and the relations to it. Changes its URLs.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article post',
    '<%= config.bin %> <%= command.id %> article story --plural stories --dry-run',
  ];
  static override args = {
    type: Args.string({
      required: true,
      description: 'Content-type, such as article or api::article.article.',
    }),
    name: Args.string({ required: true, description: 'New name: post, or "Blog Post".' }),
  };
  static override flags = {
    plural: Flags.string({
      description: 'New plural name, which is part of the URL. [default: derived from the name]',
    }),
    'display-name': Flags.string({
      description: 'New display name. [default: derived from the name, if the current one is]',
    }),
    ...schemaFlags,
  };
  static override completion = { type: 'type' } as const;

  protected override async checkArgument(name: string, text: string): Promise<Validity> {
    if (name !== 'name') return true;
    const { edits, check } = await this.openSchemaEdits();
    const type = resolveType(edits.definitions.types, this.args.type);
    return check((copy) =>
      renameType(copy, type, {
        name: text,
        plural: this.flags.plural,
        displayName: this.flags['display-name'],
      }),
    );
  }

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const { type: former, name } = this.args;
    const { plural, 'display-name': displayName } = this.flags;
    const named = { schema: null, from: former, to: deriveTypeNames({ name, plural }).singularName };
    const resumed = await this.resumeRename(session, named, ({ from, to }) => ({
      label: `rename ${lastSegment(from)} to ${name}`,
      json: { uid: to, from },
      text: to,
      formerNames: [from, lastSegment(from)],
    }));
    if (resumed !== null) return resumed;
    const type = resolveType(session.edits.definitions.types, former);
    const uid = await renameType(session.edits, type, { name, plural, displayName });
    return session.commit({
      label: `rename ${type.singularName} to ${name}`,
      json: { uid, from: type.uid },
      text: uid,
      renames: [{ kind: 'type', from: type.uid, to: uid }],
      formerNames: [type.uid, type.singularName, type.pluralName],
    });
  }
}
