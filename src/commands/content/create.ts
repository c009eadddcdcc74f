import * as Args from '@oclif/core/args';
import { BaseCommand } from '../../cli/base-command.js';
import { describeTarget, openContentProject } from '../../cli/project/command-target.js';
import type { ContentProject } from '../../cli/project/command-target.js';
import { dataFlags, readData, runWrites, saveDocument, saveFlags } from '../../cli/content/save-document.js';
import { readContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { requireLocale } from '../../documents/write/write-params.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

type Data = Readonly<Record<string, unknown>>;

const statusOf = (publishes: boolean): VersionStatus => (publishes ? 'published' : 'draft');

export default class ContentCreate extends BaseCommand<typeof ContentCreate> {
  static override summary = 'Create a document and print its documentId.';
  static override description = 'On a terminal, prompts for values if no flag sets any.';
  static override examples = [
    "<%= config.bin %> <%= command.id %> article --set 'title=A lamp' --set tags=sea,slow --publish",
    '<%= config.bin %> <%= command.id %> article --from lamp.md --dry-run',
  ];
  static override args = {
    type: Args.string({
      required: true,
      description: 'Content-type, such as article or api::article.article.',
    }),
  };
  static override flags = { ...dataFlags, ...saveFlags };
  static override completion = { type: 'type', locale: 'locale', from: 'path' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    this.info(await describeTarget(project));
    const { flags } = this;
    const isAsked = this.canPrompt && flags.set === undefined && flags.from === undefined;
    const answers = isAsked ? await this.#answers(project) : null;
    const { type } = answers ?? { type: resolveType(project.model.types, this.args.type) };
    return saveDocument(project, {
      type,
      compose: async (store) => ({
        action: 'create',
        data: answers?.data ?? (await readData(store, type, flags, this.terminal)),
      }),
      flags,
      warn: this.messages.warn,
      info: (message) => this.info(message),
    });
  }

  /** Prompts for values. Only the final write runs project code. */
  #answers(project: ContentProject): Promise<{ readonly type: ContentType; readonly data: Data }> {
    const { flags, terminal } = this;
    return readContent(project, (store) =>
      this.ask(async (wizard) => {
        const type = requireLocale(resolveType(project.model.types, this.args.type), flags.locale);
        if (wizard === null) return { type, data: {} };
        const publishes = flags.publish || !type.draftAndPublish;
        const context = { store, type, locale: flags.locale, terminal, root: project.root, publishes };
        const { promptDocument } = await import('../../cli/content/prompt-data.js');
        const data = await promptDocument(wizard, context, (values) => {
          const write = { action: 'create' as const, data: values, status: statusOf(flags.publish) };
          const localized = flags.locale === undefined ? write : { ...write, locale: flags.locale };
          return runWrites(store, type, [localized], true);
        });
        return { type, data };
      }),
    );
  }
}
