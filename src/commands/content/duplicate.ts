import { BaseCommand } from '../../cli/base-command.js';
import { describeTarget, openContentProject } from '../../cli/project/command-target.js';
import { documentArguments, duplicateData, resolveDocument } from '../../cli/content/find-document.js';
import { dataFlags, readData, saveDocument, saveFlags } from '../../cli/content/save-document.js';
import type { Outcome } from '../../cli/outcome.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

export default class ContentDuplicate extends BaseCommand<typeof ContentDuplicate> {
  static override summary = 'Create a copy of a document in one locale and print its documentId.';
  static override description = 'Omits values that must be unique, unless --set provides others.';
  static override examples = [
    "<%= config.bin %> <%= command.id %> article notes-on-rye --set 'title=Notes on oats'",
  ];
  static override args = documentArguments;
  static override flags = { ...dataFlags, ...saveFlags };
  static override completion = { type: 'type', locale: 'locale', from: 'path' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const type = resolveType(project.model.types, args.type);
    this.info(await describeTarget(project));
    return saveDocument(project, {
      type,
      compose: async (store) => {
        const documentId = await resolveDocument(store, type, args.document);
        const data = await readData(store, type, flags, this.terminal);
        return {
          action: 'create',
          data: { ...(await duplicateData(store, type, { documentId, locale: flags.locale })), ...data },
        };
      },
      flags,
      warn: this.messages.warn,
      info: (message) => this.info(message),
    });
  }
}
