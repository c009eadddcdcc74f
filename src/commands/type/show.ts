import * as Args from '@oclif/core/args';
import { openProject } from '../../project/open/open-project.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import { BaseCommand } from '../../cli/base-command.js';
import { describeType } from '../../cli/schema/describe-schema.js';
import type { Outcome } from '../../cli/outcome.js';

export default class TypeShow extends BaseCommand<typeof TypeShow> {
  static override description = 'Show a content-type with its attributes.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article',
    '<%= config.bin %> <%= command.id %> api::article.article --json',
  ];
  static override args = {
    type: Args.string({
      required: true,
      description: 'Content-type, such as article or api::article.article.',
    }),
  };
  static override completion = { type: 'type' } as const;

  async run(): Promise<Outcome> {
    const { model } = await openProject(this.projectRoot);
    return describeType(resolveType(model.types, this.args.type), this.style);
  }
}
