import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../cli/base-command.js';
import { openContentProject, remoteFlag } from '../cli/project/command-target.js';
import type { ContentProject } from '../cli/project/command-target.js';
import { createInEditor, editDocument } from '../cli/content/edit-document.js';
import { readContent, writeContent } from '../cli/content/with-content.js';
import type { Outcome } from '../cli/outcome.js';
import { createPrompter } from '../cli/prompts/prompt.js';
import { isInteractive } from '../cli/terminal/terminal.js';
import type { ContentStore } from '../transfer/store/content-store.js';
import { createError } from '../errors/catalogue.js';

export default class Browse extends BaseCommand<typeof Browse> {
  static override summary = 'Browse, search, edit and publish content in a full-screen view.';
  static override description = 'Press ? to list the keys.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> article --locale en',
  ];
  static override args = {
    type: Args.string({
      description: 'Content-type to open first, such as article or api::article.article.',
    }),
  };
  static override flags = {
    locale: Flags.string({ description: 'Locale to open first. [default: the default locale]' }),
    ...remoteFlag,
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  /** Shows a message in the full-screen view. Null outside of it. */
  #notify: ((message: string) => void) | null = null;

  async run(): Promise<Outcome> {
    this.#assertScreen();
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    await readContent(project, (store) => this.#browse(project, store));
    return { json: {} };
  }

  protected override get messages(): BaseCommand<typeof Browse>['messages'] {
    const { info, warn, command } = super.messages;
    const notifyOr =
      (print: (message: string) => void) =>
      (message: string): void =>
        (this.#notify ?? print)(message);
    return { info: notifyOr(info), warn: notifyOr(warn), command };
  }

  async #browse(project: ContentProject, store: ContentStore): Promise<void> {
    const { args, flags, terminal, messages } = this;
    // Only this command needs the modules that draw the screen.
    const [{ browse }, { startOf }] = await Promise.all([
      import('../cli/browse/browse.js'),
      import('../cli/browse/browse.js'),
    ]);
    const screen = { terminal, prompter: createPrompter(terminal), ...messages };
    const start = await startOf(store, { type: args.type, locale: flags.locale });
    const style = this.styleOn(terminal.stderr);
    try {
      await browse(terminal, {
        start,
        style,
        content: (notify) => {
          this.#notify = notify;
          return {
            store,
            write: (work) => writeContent(project, messages.warn, work),
            edit: async ({ documentId: document, ...version }) => {
              const edit = { ...version, document, publishes: false, overwrites: false };
              return (await editDocument(project, edit, screen)) !== null;
            },
            create: async (version) => (await createInEditor(project, version, screen)) !== null,
          };
        },
      });
    } finally {
      this.#notify = null;
    }
  }

  #assertScreen(): void {
    const { terminal, flags } = this;
    const remedy = 'Use: cms content list, or cms content search';
    if (flags.json || !isInteractive(terminal))
      throw createError('cli/invalid-usage', {
        reason: 'Browsing needs a terminal for standard input and standard error, and neither --json nor CI.',
        remedy,
      });
    if (terminal.env['TERM'] === 'dumb')
      throw createError('cli/invalid-usage', {
        reason: 'Browsing needs a terminal that can position its cursor, and TERM=dumb cannot.',
        remedy,
      });
  }
}
