import { BaseCommand } from '../../cli/base-command.js';
import { describeTarget, openContentProject } from '../../cli/project/command-target.js';
import {
  dataFlags,
  ifMatchFlag,
  readData,
  saveDocument,
  saveFlags,
  withIfMatch,
} from '../../cli/content/save-document.js';
import { documentArguments, resolveDocument } from '../../cli/content/find-document.js';
import type { Outcome } from '../../cli/outcome.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

export default class ContentUpdate extends BaseCommand<typeof ContentUpdate> {
  static override summary = 'Change values of a document.';
  static override description =
    'Keeps attributes that no flag names. Creates the document of a single type that has no content ' +
    'yet.';
  static override examples = [
    "<%= config.bin %> <%= command.id %> article notes-on-rye --set 'summary=Flour and water' --publish",
  ];
  static override args = documentArguments;
  static override flags = { ...dataFlags, ...saveFlags, ...ifMatchFlag };
  static override completion = { type: 'type', locale: 'locale', from: 'path' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const type = resolveType(project.model.types, this.args.type);
    this.info(await describeTarget(project));
    return saveDocument(project, {
      type,
      compose: async (store) => {
        const data = await readData(store, type, this.flags, this.terminal);
        const isNew =
          this.args.document === undefined &&
          type.kind === 'singleType' &&
          (await store.count(type.uid, type.localized ? { locale: '*' } : {})) === 0;
        if (isNew) return { action: 'create', data };
        const documentId = await resolveDocument(store, type, this.args.document);
        return { action: 'update', documentId, data, ...withIfMatch(this.flags) };
      },
      flags: this.flags,
      warn: this.messages.warn,
      info: (message) => this.info(message),
    });
  }
}
