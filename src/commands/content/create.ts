import * as Args from '@oclif/core/args';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dataFlags, readData } from '../../cli/content/read-data.js';
import { saveDocument, saveFlags } from '../../cli/content/save-document.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/describe-target.js';
import { resolveType } from '../../scaffold/resolve-name.js';

export default class ContentCreate extends BaseCommand<typeof ContentCreate> {
  static override description = 'Create a document, and print its documentId.';
  static override examples = [
    "<%= config.bin %> <%= command.id %> article --set 'title=A lamp' --set tags=sea,slow --publish",
    '<%= config.bin %> <%= command.id %> article --from lamp.md --dry-run',
  ];
  static override args = {
    type: Args.string({ required: true, description: 'The type: api::article.article, or article.' }),
  };
  static override flags = { ...dataFlags, ...saveFlags };
  static override completion = { type: 'type', locale: 'locale', from: 'path' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const type = resolveType(project.model.types, this.args.type);
    this.info(await describeTarget(project));
    return saveDocument(project, {
      type,
      compose: async (store) => ({
        action: 'create',
        data: await readData(store, type, this.flags, this.terminal),
      }),
      flags: this.flags,
      warn: (message) => this.warn(message),
      info: (message) => this.info(message),
    });
  }
}
