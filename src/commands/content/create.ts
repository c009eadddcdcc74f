import * as Args from '@oclif/core/args';
import { BaseCommand } from '../../cli/base-command.js';
import { openContentProject } from '../../cli/content/content-project.js';
import { promptData } from '../../cli/content/prompt-data.js';
import { dataFlags, readData } from '../../cli/content/read-data.js';
import { saveDocument, saveFlags } from '../../cli/content/save-document.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/describe-target.js';
import type { ContentStore } from '../../content-store/content-store.js';
import type { ContentType } from '../../model/model.js';
import { resolveType } from '../../scaffold/resolve-name.js';

export default class ContentCreate extends BaseCommand<typeof ContentCreate> {
  static override description =
    'Create a document, and print its documentId. On a terminal, asks for values where no flag gives some.';
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
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const type = resolveType(project.model.types, this.args.type);
    this.info(await describeTarget(project));
    return saveDocument(project, {
      type,
      compose: async (store) => ({
        action: 'create',
        data: await this.#data(project.root, store, type),
      }),
      flags: this.flags,
      warn: this.messages.warn,
      info: (message) => this.info(message),
    });
  }

  /** Returns the values that flags give, or that are asked for where there are none. */
  #data(root: string, store: ContentStore, type: ContentType): Promise<Readonly<Record<string, unknown>>> {
    const { flags, terminal, prompter } = this;
    if (prompter === null || flags.set !== undefined || flags.from !== undefined)
      return readData(store, type, flags, terminal);
    const context = { store, terminal, root, publishes: flags.publish, label: '' };
    return promptData(prompter, type, context);
  }
}
